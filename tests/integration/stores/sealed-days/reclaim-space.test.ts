/**
 * After many days were sealed at once, the file of the open days becomes as small as what is left in it.
 *
 * @slow 35
 */
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sealing } from '#server/stores/store';
import { type Database, openDatabase } from '#server/stores/duckdb/file/database';
import { isMostlyFree } from '#server/stores/duckdb/seal/free-space';
import { type DuckDbStoreOptions, openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import { makeQuery, makeSource, openFixture, type StoreFixture } from '../store-fixture';

const DAY_MS = 86_400_000;
const SOURCES = [makeSource({ tenant: 'project', retention_days: 3650 }), makeSource({ name: 'few' })];
const EVENTS = 9_000;
const LEAST_FREE_BYTES = 1_000_000;
const signal = new AbortController().signal;

let fixture: StoreFixture;
/** Files of a closed store with four past days, of which most tests have a copy. */
let files: string;

beforeAll(async () => {
  files = mkdtempSync(join(tmpdir(), 'lqe-reclaim-'));
  fixture = await openFixture(SOURCES, 64);
  await reopen({});
  await addDays(4);
  await fixture.store.close();
  expect(fixture.problems).toEqual([]);
  cpSync(fixture.dataDir, files, { recursive: true });
  rmSync(fixture.dataDir, { recursive: true });
}, 60_000);

afterAll(() => rmSync(files, { recursive: true, force: true }));

beforeEach(async () => {
  fixture = await openFixture(SOURCES, 64);
  await reopen({});
});

afterEach(async () => {
  expect(fixture.problems).toEqual([]);
  await fixture.remove();
});

type Options = Pick<DuckDbStoreOptions, 'sealAfterMinutes' | 'freeBytes'>;

async function reopen(options: Options): Promise<void> {
  await fixture.store.close();
  await open(options);
}

/** Replaces the empty store by one with four past days. */
async function openWithDays(options: Options = {}): Promise<void> {
  await fixture.store.close();
  rmSync(fixture.dataDir, { recursive: true });
  cpSync(files, fixture.dataDir, { recursive: true });
  await open(options);
}

async function open(options: Options): Promise<void> {
  const { dataDir, problems } = fixture;
  fixture.store = await openDuckDbStore({
    ...options,
    dataDir,
    sources: SOURCES,
    memoryLimitMb: 64,
    threads: 1,
    searchFiltersMaxBytes: 1_000_000,
    leastFreeBytes: LEAST_FREE_BYTES,
    onProblem: (message, cause) => problems.push(`${message}: ${String(cause)}`),
  });
}

const sealing = (): Sealing => fixture.store.sealing!;
const fileBytes = (): number => statSync(join(fixture.dataDir, 'logs.duckdb')).size;
/** Bytes of DuckDB's write-ahead log, which a checkpoint removes. */
const logBytes = (): number => statSync(join(fixture.dataDir, 'logs.duckdb.wal'), { throwIfNoEntry: false })?.size ?? 0;

const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;
/** Midnight of a day. */
const dayStart = (day: number): number => TODAY_MS - day * DAY_MS;

async function add(day: number, from: number, to: number, source = 'events'): Promise<void> {
  const lines = Array.from({ length: to - from }, (_, i) => {
    const n = from + i;
    const timestamp = new Date(dayStart(day) + n).toISOString();
    const message = `message ${n} ${((n + 1) * 2_654_435_761).toString(16).repeat(20)}`;
    return JSON.stringify({
      id: `${day}-${n}`,
      timestamp,
      event_message: message,
      project: `p${n % 3}`,
      metadata: { n },
    });
  });
  const identity = { base: `${source}-${day}-${from}`, firstIndex: 0 };
  const body = Buffer.from(lines.join('\n'));
  await fixture.store.ingest({ source, body, nowMicros: Date.now() * 1000, form: 'lines', identity, tenant: null });
  await fixture.store.catchUp();
}

/** Some times the usual events of a day. */
async function addEvents(day: number, times: number): Promise<void> {
  for (let from = 0; from < times * EVENTS; from += 3000) await add(day, from, from + 3000);
}

/** An import of past days, oldest first, among which another source has few events each day. */
async function addDays(count: number): Promise<void> {
  for (let day = count; day >= 1; day--) {
    await addEvents(day, 1);
    await add(day, 0, 20, 'few');
  }
  await add(0, 0, 500);
}

/** Rows, and checksums of all values but the text of the metadata, by source. */
async function content(): Promise<unknown> {
  const found: unknown[] = [];
  for (const { parts } of fixture.store.catalog().sources) {
    const selects = parts.map(
      ({ table, database }) =>
        `SELECT hash(id, "timestamp", event_message, project, "metadata.n") AS h FROM ${database === undefined ? '' : `${database}.main.`}"${table}"`
    );
    const { columns } = await fixture.read(
      `SELECT count(*), CAST(sum(h) AS VARCHAR) FROM (${selects.join(' UNION ALL ')})`,
      ['INT64', 'STRING']
    );
    found.push(columns);
  }
  return found;
}

async function sealAll(): Promise<number> {
  for (let days = 0; ; days++) if ((await sealing().sealNext(signal)) === null) return days;
}

test('seals of many days seal today, and the file becomes small', async () => {
  await openWithDays();
  const [before, bytes] = [await content(), fileBytes()];
  expect(bytes).toBeGreaterThan(4_000_000);
  // Today of the first source, too.
  expect(await sealAll()).toBe(9);
  expect(fileBytes()).toBeLessThan(bytes / 4);
  expect(await content()).toEqual(before);
  // Nothing is left to do.
  expect(await sealAll()).toBe(0);
});

test('after a full disk, the space is returned once the disk has some again', async () => {
  let free = 1e12;
  await openWithDays({ freeBytes: () => Promise.resolve(free) });
  const bytes = fileBytes();
  for (let day = 0; day < 8; day++) expect(await sealing().sealNext(signal)).not.toBeNull();
  free = 0;
  expect(await sealAll()).toBe(0);
  expect(fixture.problems.splice(0)).toEqual([expect.stringContaining('the disk is full')]);
  free = 1e12;
  expect(await sealAll()).toBe(1);
  expect(fileBytes()).toBeLessThan(bytes / 4);
});

test('days that are sealed later count with those that left too little space', async () => {
  await openWithDays();
  await addEvents(0, 4);
  await reopen({});
  expect(await sealAll()).toBe(8);
  for (const day of [5, 6]) await addEvents(day, 6);
  // Until the checkpoint of an idle store.
  while (logBytes() > 0) await delay(100);
  const bytes = fileBytes();
  // Today, too.
  expect(await sealAll()).toBe(3);
  expect(fileBytes()).toBeLessThan(bytes / 4);
}, 60_000);

test('a query that began before a seal delays the return of its space, and does not prevent it', async () => {
  await openWithDays();
  const bytes = fileBytes();
  const ended = new AbortController();
  const endless = 'SELECT count(*) FROM range(1000000) AS a, range(1000000) AS b WHERE a.range < b.range';
  const query = fixture.store.execute(makeQuery(endless, ['INT64']), ended.signal).catch(() => 'ended');
  await delay(200);
  let sealed = 0;
  while ((await sealing().sealNext(signal)) !== null) {
    // The last past day: a checkpoint comes next.
    if (++sealed === 8) setTimeout(() => ended.abort(), 300);
  }
  expect(await query).toBe('ended');
  expect(fileBytes()).toBeLessThan(bytes / 4);
});

test('a day that receives events all the time is not sealed again and again', async () => {
  await openWithDays();
  const seals: number[] = [];
  for (let n = 500; n < 520; n++) {
    const sealed = await sealing().sealNext(signal);
    if (sealed === null) break;
    if (sealed.source === 'events') seals.push(sealed.day);
    await add(0, n, n + 1);
  }
  expect(seals).toHaveLength(5);
  expect(new Set(seals).size).toBe(5);
});

test('events of today that come later are stored beside, once, and survive a start', async () => {
  await openWithDays();
  expect(await sealAll()).toBe(9);
  await add(0, 400, 700);
  const after = await content();
  await reopen({});
  expect(await content()).toEqual(after);
  await add(0, 0, 700);
  expect(await content()).toEqual(after);
  const { columns } = await fixture.read(
    `SELECT count(*) FROM (SELECT id FROM ${fixture.store
      .catalog()
      .sources[0]!.parts.slice(0, 2)
      .map(({ table, database }) => `${database === undefined ? '' : `${database}.main.`}"${table}"`)
      .join(' UNION ALL SELECT id FROM ')})`,
    ['INT64']
  );
  expect(columns).toEqual([[700n]]);
});

test('a file that is shorter than its blocks say has no free space', async () => {
  const dataDir = join(fixture.dataDir, 'other');
  const open = (): Promise<Database> => openDatabase({ dataDir, memoryLimitMb: 64, threads: 1 });
  const mostlyFree = async (database: Database): Promise<boolean> => {
    const connection = await database.connect();
    return isMostlyFree(connection, LEAST_FREE_BYTES).finally(() => connection.closeSync());
  };
  let database = await open();
  const connection = await database.connect();
  const text = 'repeat(md5(range::VARCHAR), 32)';
  await connection.run(`CREATE TABLE sealed_day AS SELECT ${text} AS t FROM range(30000)`);
  await connection.run(`CREATE TABLE today AS SELECT ${text} AS t FROM range(1000)`);
  await database.checkpoint(connection, 'plain');
  await connection.run('DROP TABLE sealed_day');
  await database.checkpoint(connection, 'plain');
  expect(await mostlyFree(database)).toBe(true);
  await connection.run(`CREATE TABLE moved AS FROM today`);
  await connection.run('DROP TABLE today');
  for (let n = 0; n < 2; n++) await database.checkpoint(connection, 'plain');
  connection.closeSync();
  database.close();
  database = await open();
  expect(await mostlyFree(database)).toBe(false);
  database.close();
});

test('days that the server seals by itself return their space, too', async () => {
  await openWithDays();
  const [before, bytes] = [await content(), fileBytes()];
  await reopen({ sealAfterMinutes: 0.001 });
  const deadline = Date.now() + 40_000;
  while (fileBytes() > bytes / 4 && Date.now() < deadline) await delay(100);
  expect(fileBytes()).toBeLessThan(bytes / 4);
  expect(await content()).toEqual(before);
}, 60_000);

test('the seal of one day or two leaves today as it is', async () => {
  await addDays(2);
  expect(await sealAll()).toBe(4);
  expect(
    sealing()
      .state()
      .sources.map(({ days, sealed }) => days - sealed)
  ).toEqual([1, 0]);
});
