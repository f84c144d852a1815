/** Texts of callers are compiled one after another, with as much time between long ones as they took. */
import { TextTurns } from '#server/engine/process/text-turns';

const LONG_MS = 30;
const never = new AbortController().signal;
const busy = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until;);
};

it('texts are compiled in order', async () => {
  const turns = new TextTurns();
  const order: number[] = [];
  await Promise.all([1, 2, 3].map((n) => turns.next(never).then(() => turns.measure(() => order.push(n)))));
  expect(order).toEqual([1, 2, 3]);
});

it('after a long text the next one waits for as long, also when the long one fails', async () => {
  const turns = new TextTurns();
  const spans: { from: number; to: number }[] = [];
  const compile = async (): Promise<void> => {
    await turns.next(never);
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
    await turns.next(never);
    expect(turns.measure(() => n)).toBe(n);
  }
  expect(performance.now() - startedAt).toBeLessThan(1000);
});

it('a text whose call is interrupted leaves at once, and the next one takes its turn', async () => {
  const turns = new TextTurns();
  const call = new AbortController();
  await turns.next(never);
  turns.measure(() => busy(LONG_MS));
  const left = turns.next(call.signal);
  const next = turns.next(never).then(() => 'compiled');
  call.abort(new Error('past its deadline'));
  await expect(left).rejects.toThrow('past its deadline');
  await expect(turns.next(call.signal)).rejects.toThrow('past its deadline');
  await expect(next).resolves.toBe('compiled');
});

it('turns go on after all texts that waited have left', async () => {
  const turns = new TextTurns();
  const call = new AbortController();
  const left = turns.next(call.signal);
  call.abort(new Error('past its deadline'));
  await expect(left).rejects.toThrow('past its deadline');
  await turns.next(never);
});
