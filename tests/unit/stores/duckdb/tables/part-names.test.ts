import fc from 'fast-check';
import { parsePartTable, partTable, SEALED_DATABASE, sealedTable } from '#server/stores/duckdb/tables/part';
import { allParts, NO_PARTS, partsOf, withoutDay, withWritten } from '#server/stores/duckdb/tables/stored-parts';
import type { Part } from '#server/stores/duckdb/tables/part';

const source = fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/);
const day = fc.integer({ min: 0, max: 100_000 });
const version = fc.integer({ min: 0, max: 2_000_000_000 });
const number = fc.integer({ min: 1, max: 32 });

test('the name of an open part says which one it is', () => {
  fc.assert(
    fc.property(source, day, version, number, (name, ofDay, ofVersion, ofNumber) => {
      expect(parsePartTable(partTable(name, ofDay, ofVersion, ofNumber))).toEqual({
        source: name,
        day: ofDay,
        version: ofVersion,
        number: ofNumber,
        database: null,
      });
    })
  );
});

test('the name of a sealed part says which one it is', () => {
  fc.assert(
    fc.property(source, day, version, (name, ofDay, before) => {
      expect(parsePartTable(sealedTable(name, ofDay, before + 1))).toMatchObject({
        source: name,
        day: ofDay,
        version: before + 1,
        database: SEALED_DATABASE,
      });
    })
  );
});

test.each([
  'lqe_meta',
  'events',
  'events/2026-11-20~',
  'events/2026-11-20~0',
  'events/2026-11-20~100',
  'events/2026-11-20+0',
])('%s is no part', (table) => expect(parsePartTable(table)).toBeNull());

describe('parts of a day', () => {
  const part = (table: string, ofDay: number): Part => ({
    table,
    database: null,
    day: ofDay,
    version: 0,
    columns: new Map(),
    inColumns: null,
    message: null,
    newestMicros: null,
  });
  const names = (parts: readonly Part[]): readonly string[] => parts.map(({ table }) => table);
  const one = withWritten(
    NO_PARTS,
    new Map([
      [1, part('a', 1)],
      [2, part('x', 2)],
    ])
  );

  test('are those that were written to before, in this order, and the one that is written to', () => {
    const two = withWritten(one, new Map([[1, part('b', 1)]]));
    const three = withWritten(two, new Map([[1, part('c', 1)]]));
    // The same table with more columns.
    const more = withWritten(three, new Map([[1, part('c', 1)]]));
    expect(names(partsOf(more, 1))).toEqual(['a', 'b', 'c']);
    expect(names(allParts(more))).toEqual(['x', 'a', 'b', 'c']);
    expect(names(partsOf({ ...more, sealed: new Map([[1, part('s', 1)]]) }, 1))).toEqual(['s', 'a', 'b', 'c']);
    expect(names(partsOf(one, 1))).toEqual(['a']);
  });

  test('are all removed with the day', () => {
    const left = withoutDay(withWritten(one, new Map([[1, part('b', 1)]])), 1);
    expect(names(allParts(left))).toEqual(['x']);
    expect(names(partsOf(withWritten(left, new Map([[1, part('n', 1)]])), 1))).toEqual(['n']);
  });
});
