/** Which checkpoints of a real database merge row groups, and how many: the writer waits for them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type CheckpointKind, type Database, openDatabase } from '#server/stores/duckdb/file/database';

let dataDir: string;
let database: Database;
let connection: DuckDBConnection;

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'row-group-merges-'));
  database = await openDatabase({ dataDir, memoryLimitMb: 128, threads: 1 });
  connection = await database.connect();
  await connection.run('CREATE TABLE events (n BIGINT)');
});
afterAll(() => {
  connection.closeSync();
  database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function insert(rows: number, table = 'events'): Promise<void> {
  await connection.run(`INSERT INTO ${table} SELECT range FROM range(${rows})`);
}

async function rowGroups(table = 'events'): Promise<number> {
  const reader = await connection.runAndReadAll(
    `SELECT count(DISTINCT row_group_id) FROM pragma_storage_info('${table}')`
  );
  return Number(reader.getRows()[0]![0]);
}

it('only a checkpoint that is asked for it merges them, and none after it', async () => {
  const kinds: readonly CheckpointKind[] = ['plain', 'plain', 'plain', 'plain', 'merging', 'plain'];
  const counts: number[] = [];
  for (const kind of kinds) {
    await insert(5_000);
    await database.checkpoint(connection, kind);
    counts.push(await rowGroups());
  }
  expect(counts).toEqual([1, 2, 3, 4, 1, 2]);
  // A commit with a checkpoint is one of a load.
  await connection.run('BEGIN TRANSACTION');
  await insert(5_000);
  await database.commitToFile(connection);
  expect(await rowGroups()).toBe(3);
});

it('each table is merged once, however many merges are worth it', async () => {
  const tables = ['large', 'larger'];
  for (const table of tables) await connection.run(`CREATE TABLE ${table} (n BIGINT)`);
  const add = async (kind: CheckpointKind): Promise<void> => {
    for (const table of tables) await insert(20_000, table);
    await database.checkpoint(connection, kind);
  };
  for (let n = 0; n < 8; n++) await add('plain');
  const counts: number[][] = [];
  for (let n = 0; n < 3; n++) {
    await add('merging');
    counts.push(await Promise.all(tables.map(rowGroups)));
  }
  // Each time one more group, and two full ones instead of three.
  expect(counts).toEqual([
    [8, 8],
    [8, 8],
    [8, 8],
  ]);
});

it('a table that was not written to is merged, too', async () => {
  await connection.run('CREATE TABLE quiet (n BIGINT)');
  for (let n = 0; n < 3; n++) {
    await insert(5_000, 'quiet');
    await database.checkpoint(connection, 'plain');
  }
  await insert(1);
  await database.checkpoint(connection, 'merging');
  expect(await rowGroups('quiet')).toBe(1);
});

it('a checkpoint that fails leaves the setting as it was', async () => {
  const reader = await database.connect();
  await reader.run('BEGIN TRANSACTION READ ONLY');
  await reader.run('SELECT count(*) FROM events');
  await connection.run('CREATE TABLE dropped AS SELECT 1 AS n');
  await connection.run('DROP TABLE dropped');
  await expect(database.checkpoint(connection, 'merging')).rejects.toThrow();
  await reader.run('ROLLBACK');
  reader.closeSync();
  const setting = await connection.runAndReadAll(`SELECT current_setting('max_vacuum_tasks')`);
  expect(Number(setting.getRows()[0]![0])).toBe(0);
});
