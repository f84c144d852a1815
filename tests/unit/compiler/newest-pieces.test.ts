import fc from 'fast-check';
import type { CatalogPart, ExtentOf } from '#compiler/catalog/catalog';
import type { ScanInput } from '#compiler/ir/plan';
import { joinedPieces, newestPieces } from '#compiler/print/reads/newest-pieces';

const MINUTE = 60_000_000;
const DAY = 24 * 60 * MINUTE;
const NOW = 20 * DAY + 12 * 60 * MINUTE;

function part(day: number, table: string): CatalogPart {
  return { table, fromMicros: day * DAY, toMicros: (day + 1) * DAY, columns: new Map(), json: null };
}

/** Days of the parts, newest first; some days have two. */
const parts = fc
  .uniqueArray(fc.integer({ min: 10, max: 21 }), { minLength: 1 })
  .map((days) =>
    [...days]
      .sort((a, b) => b - a)
      .flatMap((day) => (day % 3 === 0 ? [part(day, 'open'), part(day, 'sealed')] : [part(day, 'open')]))
  );
const time = fc.oneof(
  fc.integer({ min: 9 * DAY, max: 22 * DAY }),
  fc.integer({ min: -200, max: 5 }).map((minutes) => NOW + minutes * MINUTE),
  fc.integer({ min: 10, max: 22 }).map((day) => day * DAY)
);
const bound = fc.option(time, { nil: null });

function scanOf(from: number | null, to: number | null): ScanInput {
  return {
    bounds: { fromMicros: from ?? Number.NEGATIVE_INFINITY, toMicros: to ?? Number.POSITIVE_INFINITY },
  } as ScanInput;
}

const extent = fc.option(
  fc.record({
    rows: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 50_000_000 })),
    newestMicros: fc.oneof(fc.constant(null), fc.constant(Number.NEGATIVE_INFINITY), time),
  }),
  { nil: null }
);

test('each event is in one piece, and no older one is in an earlier piece, whatever is known of the parts', () => {
  fc.assert(
    fc.property(parts, bound, bound, time, fc.array(time), fc.func(extent), (all, from, to, now, others, known) => {
      const extentOf: ExtentOf = ({ table, fromMicros }) => known(table, fromMicros);
      const pieces = newestPieces(scanOf(from, to), all, { nowMicros: now, extentOf });
      const cuts = pieces.flatMap(({ limits }) => [limits.fromMicros, limits.toMicros]).filter(Number.isFinite);
      const times = [...others, ...cuts.flatMap((cut) => [cut - 1, cut, cut + 1])].sort((a, b) => b - a);
      let last = 0;
      for (const at of times) {
        for (const read of all) {
          if (at < read.fromMicros || at >= read.toMicros) continue;
          const holding = pieces.flatMap(({ parts: of, limits }, index) =>
            of.includes(read) && at >= limits.fromMicros && at <= limits.toMicros ? [index] : []
          );
          expect(holding).toHaveLength(1);
          expect(holding[0]).toBeGreaterThanOrEqual(last);
          last = holding[0]!;
        }
      }
    }),
    { numRuns: 1000 }
  );
});

test('parts with unknown times are read in pieces: the last quarter of an hour, two hours, the rest of the day, then days', () => {
  const days = [20, 19, 18, 17, 16, 15, 14].map((day) => part(day, String(day)));
  const pieces = newestPieces(scanOf(null, null), days, { nowMicros: NOW });
  expect(pieces.map(({ parts: of }) => of.map(({ table }) => table).join(' '))).toEqual([
    '20',
    '20',
    '20',
    '19',
    '18 17',
    '16 15 14',
  ]);
  expect(pieces.slice(0, 3).map(({ limits }) => [limits.fromMicros - NOW, limits.toMicros - NOW])).toEqual([
    [-15 * MINUTE, Infinity],
    [-120 * MINUTE, -15 * MINUTE - 1],
    [-Infinity, -120 * MINUTE - 1],
  ]);
});

test('pieces are before the end of the window, and none is longer than the window', () => {
  const cutsOf = (from: number | null, to: number): number[] =>
    newestPieces(scanOf(from, to), [part(18, 'a')], { nowMicros: NOW }).map(({ limits }) => limits.fromMicros - to);
  const to = 18 * DAY + 600 * MINUTE;
  expect(cutsOf(to - 6 * 60 * MINUTE, to)).toEqual([-15 * MINUTE, -120 * MINUTE, -Infinity]);
  expect(cutsOf(to - 60 * MINUTE, to)).toEqual([-15 * MINUTE, -Infinity]);
  expect(cutsOf(to - 10 * MINUTE, to)).toEqual([-Infinity]);
});

test('pieces begin at the newest event, and have as many events however many a day has', () => {
  const newestMicros = NOW - 50 * MINUTE;
  const cutsOf = (rows: number, older = 0): readonly number[] => {
    const extentOf: ExtentOf = ({ table }) =>
      table === 'today' ? { rows, newestMicros } : { rows: older, newestMicros: null };
    const pieces = newestPieces(scanOf(null, null), [part(20, 'today'), part(19, 'before')], {
      nowMicros: NOW,
      extentOf,
    });
    expect(pieces[0]!.limits.toMicros).toBe(Infinity);
    return pieces.slice(0, 2).map(({ limits }) => Math.round((newestMicros - limits.fromMicros) / MINUTE));
  };
  // The day is 670 minutes old at its newest event.
  expect(cutsOf(67_000)).toEqual([41, 328]);
  expect(cutsOf(670_000)).toEqual([4, 33]);
  expect(cutsOf(6_700_000)).toEqual([0, 3]);
  // Few events: two hours, and half a day, unless the day before has many.
  expect(cutsOf(67)).toEqual([120, 720]);
  expect(cutsOf(67, 144_000)).toEqual([120, 328]);
  expect(cutsOf(67, 1_440_000)).toEqual([120, Infinity]);
});

test('neighboring pieces of few rows are joined', () => {
  const read = (day: number, rows: number): CatalogPart => ({
    ...part(day, String(day)),
    rows: [{ from: 7, to: 7 + rows }],
  });
  const tables = (all: readonly CatalogPart[]): readonly string[][] =>
    joinedPieces(newestPieces(scanOf(null, null), all, null)).map(({ parts: of }) => of.map(({ table }) => table));
  const few = [20, 19, 18, 17, 16].map((day) => read(day, 2048));
  expect(tables(few)).toEqual([['20', '19', '18', '17', '16']]);
  expect(tables([part(21, 'open'), ...few])).toEqual([['open'], ['20', '19', '18', '17', '16']]);
  expect(tables([read(20, 60_000), read(19, 60_000), read(18, 60_000)])).toEqual([['20', '19'], ['18']]);
  expect(tables([read(20, 60), part(19, '19'), read(18, 60), read(17, 60)])).toEqual([['20'], ['19'], ['18', '17']]);
  // A cut piece has limits of its own.
  const cut = newestPieces(scanOf(null, null), [part(20, 'open'), ...few.slice(1)], { nowMicros: NOW });
  expect(joinedPieces(cut).map(({ limits }) => limits)).toEqual(cut.slice(0, 4).map(({ limits }) => limits));
});
