/**
 * Events of many days at once: each table that is written to keeps memory, which must not run out.
 *
 * @slow 25
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { makeSource, NOW_MICROS, openFixture } from './store-fixture';

const DAYS = 12;
const COLUMNS = 200;
const SECONDS_PER_DAY = 86_400;

const seconds = (day: number): number => NOW_MICROS / 1e6 - day * SECONDS_PER_DAY;
const wide = (prefix: string): Record<string, number> =>
  Object.fromEntries(Array.from({ length: COLUMNS }, (_, i) => [`${prefix}${i}`, i]));
const days = Array.from({ length: DAYS }, (_, day) => day);

it('a batch of twelve days, each with four hundred columns, is stored in 512 MiB, repeatedly', async () => {
  const fixture = await openFixture([makeSource({ retention_days: 90 })], 512);
  // A batch makes 200 columns at most.
  await fixture.ingest([{ id: 'first', metadata: wide('a') }]);
  await fixture.ingest([{ id: 'second', metadata: { ...wide('a'), ...wide('b') } }]);
  const metadata = { ...wide('a'), ...wide('b') };
  for (const round of ['x', 'y']) {
    const events = days.map((day) => ({ id: `${round}${day}`, timestamp: seconds(day), metadata }));
    expect(await fixture.ingest(events)).toMatchObject({ accepted: DAYS, duplicates: 0, rejected: 0 });
    // Tables that are on disk take more memory for the next event than new ones.
    await fixture.reopen();
  }
  const { parts } = fixture.source();
  expect(parts).toHaveLength(DAYS);
  const sql = parts.map(({ table }) => `SELECT "metadata.b199" AS n FROM "${table}"`).join(' UNION ALL ');
  const { columns } = await fixture.read(`SELECT count(*), sum(n)::BIGINT FROM (${sql})`, ['INT64', 'INT64']);
  expect(columns).toEqual([[BigInt(2 * DAYS + 2)], [BigInt((2 * DAYS + 1) * (COLUMNS - 1))]]);
  await fixture.remove();
}, 120_000);

it('small events of a day with many columns are in the file before they take much memory', async () => {
  const fixture = await openFixture([makeSource()], 64);
  await fixture.ingest([{ id: 'wide', metadata: wide('a') }]);
  // Each ends a transaction, and none is large enough in the log for a checkpoint.
  const batches = [0, 1, 2].map((batch) => Array.from({ length: 7_000 }, (_, i) => ({ id: `${batch} ${i}` })));
  const logBytes: number[] = [];
  for (const batch of batches) {
    await fixture.ingest(batch);
    logBytes.push(statSync(join(fixture.dataDir, 'logs.duckdb.wal')).size);
  }
  expect(logBytes[1]).toBeGreaterThan(logBytes[0]!);
  expect(logBytes[2]).toBeLessThan(logBytes[0]!);
  await fixture.reopen();
  const parts = fixture
    .source()
    .parts.map(({ table }) => `SELECT * FROM "${table}"`)
    .join(' UNION ALL ');
  expect((await fixture.read(`SELECT count(*) FROM (${parts})`, ['INT64'])).columns).toEqual([[21_001n]]);
  await fixture.remove();
});

it('a late event of an earlier day gets a table with its own fields only', async () => {
  const fixture = await openFixture([makeSource({ retention_days: 90 })]);
  await fixture.ingest([{ id: 'today', metadata: wide('a') }]);
  await fixture.ingest([{ id: 'late', timestamp: seconds(30), metadata: { a7: 1 } }]);
  await fixture.ingest([{ id: 'later', timestamp: seconds(30) + 1, metadata: { a8: 2 } }]);
  const late = fixture.source().parts.at(-1)!;
  expect([...late.columns.keys()].filter((name) => name.startsWith('metadata.')).sort()).toEqual([
    'metadata.a7',
    'metadata.a8',
  ]);
  await fixture.remove();
});

it('a batch of twelve days waits for running queries, and is stored', async () => {
  const fixture = await openFixture([makeSource({ retention_days: 90 })], 512);
  await fixture.ingest([{ id: 'first', metadata: wide('a') }]);
  await fixture.ingest([{ id: 'second', metadata: { ...wide('a'), ...wide('b') } }]);
  let isOver = false;
  const slow = 'SELECT count(*) FROM range(4000000) a, range(20) b WHERE (a.range * b.range) % 7 = 3';
  const queries = (async () => {
    let count = 0;
    for (; !isOver; count++) await fixture.read(slow, ['INT64']);
    return count;
  })();
  const metadata = { ...wide('a'), ...wide('b') };
  const events = days.map((day) => ({ id: `x${day}`, timestamp: seconds(day), metadata }));
  expect(await fixture.ingest(events)).toMatchObject({ accepted: DAYS, duplicates: 0, rejected: 0 });
  isOver = true;
  expect(await queries).toBeGreaterThan(0);
  expect(fixture.problems).toEqual([]);
  await fixture.remove();
}, 120_000);
