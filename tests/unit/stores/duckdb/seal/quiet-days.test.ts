/** Which past days are sealed by themselves, by tables of a real database. */
import { type OpenDay, QuietDays } from '#server/stores/duckdb/seal/quiet-days';
import type { Part } from '#server/stores/duckdb/tables/part';
import { makeSource } from '../../../../integration/stores/store-fixture';
import { useMemoryDatabase } from '../../../../support/stores/memory-database';

const DAY = 20_000;
const NOW_MS = (DAY + 2) * 86_400_000;

const database = useMemoryDatabase();

/** A day with one open part. @param length of each text */
async function makeDay(table: string, rows: number, length: number): Promise<OpenDay> {
  await database.connection.run(
    `CREATE TABLE "${table}" AS SELECT repeat('x', ${length}) AS metadata_json, 'm' AS event_message FROM range(${rows})`
  );
  const columns = new Map(['metadata_json', 'event_message'].map((name) => [name, 'STRING']));
  const part = { table, database: null, day: DAY, columns } as unknown as Part;
  const state = { source: makeSource(), parts: new Map([[DAY, part]]), former: new Map(), sealed: new Map() };
  return { state, part } as unknown as OpenDay;
}

test.each([
  { what: 'many rows', rows: 8_192, length: 1, isSealed: true },
  { what: 'few rows', rows: 8_191, length: 1, isSealed: false },
  { what: 'few large rows', rows: 80, length: 900_000, isSealed: true },
  { what: 'few large rows that are too few', rows: 70, length: 900_000, isSealed: false },
])('a day with $what is sealed: $isSealed', async ({ what, rows, length, isSealed }) => {
  const day = await makeDay(what, rows, length);
  const quiet = new QuietDays();
  const find = () => quiet.find(database.connection, [day], () => rows, NOW_MS, 0);
  expect(await find()).toEqual(isSealed ? [day] : []);
  await database.connection.run(`DROP TABLE "${what}"`);
  // What a small day has is not read again while it has the same number of rows.
  if (!isSealed) expect(await find()).toEqual([]);
});

test('one large row makes no small day large', async () => {
  const day = await makeDay('one large row', 100, 10);
  await database.connection.run(`INSERT INTO "one large row" SELECT repeat('x', 1000000), 'm'`);
  expect(await new QuietDays().find(database.connection, [day], () => 101, NOW_MS, 0)).toEqual([]);
});
