/** Texts of callers are compiled one after another, with as much time between long ones as they took. */
import { TextTurns } from '#server/engine/process/text-turns';

const LONG_MS = 30;
const busy = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until;);
};

it('texts are compiled in order', async () => {
  const turns = new TextTurns();
  const order: number[] = [];
  await Promise.all([1, 2, 3].map((n) => turns.next().then(() => turns.measure(() => order.push(n)))));
  expect(order).toEqual([1, 2, 3]);
});

it('after a long text the next one waits for as long, also when the long one fails', async () => {
  const turns = new TextTurns();
  const spans: { from: number; to: number }[] = [];
  const compile = async (): Promise<void> => {
    await turns.next();
    const failing = (): never => {
      const from = performance.now();
      busy(LONG_MS);
      spans.push({ from, to: performance.now() });
      throw new Error('too complex');
    };
    expect(() => turns.measure(failing)).toThrow('too complex');
  };
  await Promise.all([compile(), compile(), compile()]);
  await compile();
  for (let at = 1; at < spans.length; at++)
    expect(spans[at]!.from - spans[at - 1]!.to).toBeGreaterThanOrEqual(LONG_MS - 1);
});

it('what a compilation returns is passed on, and a short one delays no other', async () => {
  const turns = new TextTurns();
  const startedAt = performance.now();
  for (let n = 0; n < 20; n++) {
    await turns.next();
    expect(turns.measure(() => n)).toBe(n);
  }
  expect(performance.now() - startedAt).toBeLessThan(1000);
});
