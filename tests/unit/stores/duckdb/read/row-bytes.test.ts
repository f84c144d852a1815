/** Sizes of rows of tables of a real database. */
import { averageRowBytes, fittingRows } from '#server/stores/duckdb/read/row-bytes';
import type { Part } from '#server/stores/duckdb/tables/part';
import { makeSource } from '../../../../integration/stores/store-fixture';
import { useMemoryDatabase } from '../../../../support/stores/memory-database';

const source = makeSource();
const database = useMemoryDatabase();
let parts: readonly Part[];

beforeAll(async () => {
  const make = async (table: string, length: number, own: string): Promise<Part> => {
    await database.connection.run(
      `CREATE TABLE "${table}" AS SELECT repeat('x', ${length}) AS metadata_json,
         CASE WHEN range % 2 = 0 THEN 'message' END AS event_message ${own} FROM range(1000)`
    );
    const columns = new Map(own === '' ? [] : [['project', 'STRING']]);
    return { table, database: null, columns } as unknown as Part;
  };
  parts = [await make('first', 100, ''), await make('second', 10_000, ", repeat('p', 500) AS project")];
});

test.each([
  { what: 'the first part', from: 0, to: 1_000, bytes: 103.5 },
  { what: 'the second part, with its own columns', from: 1_000, to: 2_000, bytes: 10_503.5 },
  { what: 'the end of the first part and most of the second', from: 960, to: 1_600, bytes: 9_800 },
  { what: 'both parts', from: 0, to: 2_000, bytes: 5_303.5 },
  { what: 'no rows', from: 2_000, to: 2_100, bytes: 0 },
])('bytes of a row of $what', async ({ from, to, bytes }) => {
  const found = await averageRowBytes(database.connection, source, parts, { from, to });
  expect(Math.abs(found - bytes)).toBeLessThanOrEqual(bytes / 5);
});

test.each([
  { bytes: 1_000_000, rowBytes: 300, rows: 3_333 },
  { bytes: 1_000_000, rowBytes: 0, rows: 5_000 },
  { bytes: 1_000_000, rowBytes: 2_000_000, rows: 1 },
])('$rows rows of $rowBytes bytes', ({ bytes, rowBytes, rows }) => {
  expect(fittingRows(bytes, rowBytes, 5_000)).toBe(rows);
});
