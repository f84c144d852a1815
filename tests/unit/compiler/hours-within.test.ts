import fc from 'fast-check';
import { hoursWithin } from '#compiler/print/statement/hours-within';

const HOUR = 3_600_000_000n;
const DAY = 24n * HOUR;
const part = { table: 'd', fromMicros: Number(3n * DAY), toMicros: Number(4n * DAY), columns: new Map(), json: null };
const time = fc.bigInt({ min: 2n * DAY, max: 5n * DAY });
const onTheHour = fc.bigInt({ min: 70n, max: 98n }).map((hour) => hour * HOUR);
const limit = fc.oneof(
  fc.constant(null),
  time,
  onTheHour,
  onTheHour.map((hour) => hour - 1n)
);

test('pieces of a day follow each other from the first to the last event of the window', () => {
  fc.assert(
    fc.property(limit, limit, (from, to) => {
      const pieces = hoursWithin(part, { from, to });
      if (pieces.length === 0) return;
      const first = from === null || from < 3n * DAY ? 3n * DAY : from;
      const last = to === null || to >= 4n * DAY ? 4n * DAY - 1n : to;
      expect(pieces[0]!.limits.from).toBe(first);
      expect(pieces.at(-1)!.limits.to).toBe(last);
      pieces.slice(1).forEach(({ limits }, i) => expect(limits.from).toBe(pieces[i]!.limits.to! + 1n));
      for (const { limits, isWhole } of pieces) {
        expect(limits.from! <= limits.to!).toBe(true);
        expect(isWhole).toBe(limits.from! % HOUR === 0n && (limits.to! + 1n) % HOUR === 0n);
      }
    })
  );
});

test('a window that moves on by an hour has most of its pieces again', () => {
  const from = (hour: bigint): string[] =>
    hoursWithin(part, { from: 3n * DAY + hour * HOUR, to: null }).map(({ limits }) => `${limits.from}-${limits.to}`);
  const known = new Set<string>();
  let computed = 0;
  for (let hour = 1n; hour < 24n; hour++) {
    for (const piece of from(hour)) {
      if (!known.has(piece)) computed++;
      known.add(piece);
    }
    expect(from(hour).length).toBeLessThanOrEqual(6);
  }
  expect(computed).toBeLessThan(45);
});
