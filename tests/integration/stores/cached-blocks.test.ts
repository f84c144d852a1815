/** What a load leaves in the memory of a real database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type Database, openDatabase, ROW_GROUP_ROWS } from '#server/stores/duckdb/file/database';
import { CachedBlocks } from '#server/stores/duckdb/memory/cached-blocks';
import { StoreMemory } from '#server/stores/duckdb/memory/store-memory';
import { ConnectionPool } from '#server/stores/duckdb/read/connection-pool';

const MEMORY_MB = 64;
const MOST_BYTES = (MEMORY_MB / 8) * 1024 * 1024;

let dataDir: string;
let database: Database;
let connection: DuckDBConnection;
let isNeeded: boolean;
let blocks: CachedBlocks;

beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'cached-blocks-'));
  database = await openDatabase({ dataDir, memoryLimitMb: MEMORY_MB, threads: 1 });
  connection = await database.connect();
  await connection.run('CREATE TABLE events (hash UHUGEINT)');
  isNeeded = false;
  blocks = new CachedBlocks({
    cachedBytes: (writer) => database.cachedBytes(writer),
    drop: (writer) => database.dropCache(writer),
    exclusive: (task) => task(connection),
    isNeeded: () => isNeeded,
    memoryLimitMb: MEMORY_MB,
  });
});
afterEach(() => {
  connection.closeSync();
  database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** @returns bytes in memory after the commit of a full row group of about 0.5 MB, each time */
async function load(groups: number): Promise<number[]> {
  const cached: number[] = [];
  for (let group = 0; group < groups; group++) {
    await connection.run('BEGIN TRANSACTION');
    await connection.run(`INSERT INTO events SELECT md5_number(range::VARCHAR) FROM range(${ROW_GROUP_ROWS})`);
    await database.commitToFile(connection);
    await blocks.committed(connection, ROW_GROUP_ROWS);
    cached.push(await database.cachedBytes(connection));
  }
  return cached;
}

it('a load keeps no more than an eighth of the limit', async () => {
  const cached = await load(60);
  const most = Math.max(...cached);
  expect(most).toBeGreaterThan(MOST_BYTES / 2);
  expect(most).toBeLessThan(MOST_BYTES);
  const rows = await connection.runAndReadAll('SELECT count(*), count(DISTINCT hash) FROM events');
  expect(rows.getRows()).toEqual([[60n * BigInt(ROW_GROUP_ROWS), BigInt(ROW_GROUP_ROWS)]]);
  const limit = await connection.runAndReadAll(`SELECT current_setting('memory_limit')`);
  expect(limit.getRows()).toEqual([['64.0 MiB']]);
});

it('statements beside drops find the memory that they need', async () => {
  // These statements ask for less than a sixteenth of the limit in the time of a drop, and for more in all.
  const folder = mkdtempSync(path.join(tmpdir(), 'cached-blocks-'));
  const large = await openDatabase({ dataDir: folder, memoryLimitMb: 512, threads: 1 });
  const [asking, dropping] = [await large.connect(), await large.connect()];
  const rows = 60 * ROW_GROUP_ROWS;
  await asking.run(`CREATE TABLE events AS SELECT md5_number(range::VARCHAR) AS hash FROM range(${rows})`);
  await large.checkpoint(asking, 'plain');
  let isDone = false;
  let drops = 0;
  const drop = async (): Promise<void> => {
    // A drop fails where blocks are in use.
    for (; !isDone; drops++) await large.dropCache(dropping).catch(() => undefined);
  };
  const dropped = drop();
  try {
    for (let n = 0; n < 10; n++) {
      const sorted = await asking.runAndReadAll(
        'SELECT count(*), sum(hash(hash)) > 0 FROM (FROM events ORDER BY hash)'
      );
      expect(sorted.getRows()).toEqual([[BigInt(rows), true]]);
    }
  } finally {
    isDone = true;
    await dropped;
    for (const connection of [asking, dropping]) connection.closeSync();
    large.close();
    rmSync(folder, { recursive: true, force: true });
  }
  expect(drops).toBeGreaterThan(10);
});

it('while a seal or a backup may need the memory, nothing is dropped', async () => {
  isNeeded = true;
  expect(Math.max(...(await load(60)))).toBeGreaterThan(MOST_BYTES);
});

it('a day that was read for a filter leaves no more, unless a query runs, and once nothing is written', async () => {
  isNeeded = true;
  await load(60);
  isNeeded = false;
  let written = Promise.resolve();
  const readers = new ConnectionPool(() => database.connect(), null);
  const memory = new StoreMemory({
    database,
    readers,
    exclusive: async (task) => {
      await written;
      await task(connection);
    },
    isNeeded: () => isNeeded,
    memoryLimitMb: MEMORY_MB,
    rssBudgetMb: Infinity,
  });
  await readers.readOnly(() => memory.read(connection));
  expect(await database.cachedBytes(connection)).toBeGreaterThan(MOST_BYTES);
  // The pool knows of the end of a query after its transaction has ended.
  await setTimeout(50);
  let endOfWrite = (): void => undefined;
  written = new Promise((resolve) => (endOfWrite = resolve));
  const read = memory.read(connection);
  await setTimeout(50);
  // A batch is being written.
  expect(await database.cachedBytes(connection)).toBeGreaterThan(MOST_BYTES);
  endOfWrite();
  await read;
  expect(await database.cachedBytes(connection)).toBeLessThan(MOST_BYTES);
  await readers.close();
});

it('the cache is measured once for several small transactions, and a failure stops no commit', async () => {
  const looks: number[] = [];
  const small = new CachedBlocks({
    cachedBytes: () => Promise.resolve(looks.push(0)),
    drop: () => Promise.reject(new Error('not needed')),
    exclusive: (task) => task(connection),
    isNeeded: () => false,
    memoryLimitMb: 0,
  });
  for (let n = 0; n < 10; n++) await small.committed(connection, ROW_GROUP_ROWS / 4);
  expect(looks).toHaveLength(2);
});
