/** Threads of a real database while reads of tables of different sizes run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { PartRead } from '#compiler/store';
import { type Database, openDatabase } from '#server/stores/duckdb/file/database';
import { LARGE_READ_ROWS, ReadThreads } from '#server/stores/duckdb/file/read-threads';
import { readTableRows, TableRows } from '#server/stores/duckdb/file/table-rows';

let dataDir: string;
let database: Database;
let connection: DuckDBConnection;
let threads: ReadThreads;

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'read-threads-'));
  database = await openDatabase({ dataDir, memoryLimitMb: 128, threads: 3 });
  connection = await database.connect();
  for (const [table, rows] of [
    ['large', 2 * LARGE_READ_ROWS],
    ['small', 1000],
  ] as const)
    await connection.run(`CREATE TABLE ${table} AS SELECT range AS i FROM range(${rows})`);
  const rows = new TableRows(() => readTableRows(connection));
  await rows.refresh();
  const set = async (count: number): Promise<void> => {
    const own = await database.connect();
    await database.setThreads(own, count).finally(() => own.closeSync());
  };
  threads = new ReadThreads({ most: 3, set, rowsOf: (table) => rows.of(table) });
});

afterAll(async () => {
  await threads.close();
  connection.closeSync();
  database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function currentThreads(): Promise<number> {
  const reader = await connection.runAndReadAll(`SELECT current_setting('threads')`);
  return Number(reader.getRows()[0]![0]);
}

const wholePart = (table: string): PartRead => {
  const day = { fromMicros: 0, toMicros: 86_400_000_000 };
  return { part: { table, ...day, columns: new Map(), json: null }, ...day };
};

it('a database has one thread, and all of them during a large read', async () => {
  await delay(500);
  expect(await currentThreads()).toBe(1);
  expect(await threads.run([wholePart('small')], currentThreads)).toBe(1);
  expect(await threads.run([wholePart('large')], currentThreads)).toBe(3);
  expect(await threads.run([wholePart('dropped')], currentThreads)).toBe(3);
  await delay(500);
  expect(await currentThreads()).toBe(1);
});
