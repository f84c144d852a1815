/**
 * What statements of the embedded store can reach in the file system: the staging folder of backups, and nothing else.
 */
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type Database, openDatabase } from '#server/stores/duckdb/file/database';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import { stagingFolder } from '#server/stores/duckdb/file/staging-folder';

let folder: string;
let staging: string;
let database: Database;
let connection: DuckDBConnection;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lqe-it's-"));
  const dataDir = join(folder, 'data');
  staging = stagingFolder(dataDir);
  mkdirSync(staging, { recursive: true });
  writeFileSync(join(staging, 'leftover.parquet'), 'of a former process');
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  database = await openDatabase({ dataDir, memoryLimitMb: 64, threads: 1 });
  connection = await database.connect();
});
afterAll(() => {
  connection.closeSync();
  database.close();
  rmSync(folder, { recursive: true });
});

const quoted = (path: string): string => `'${path.replaceAll("'", "''")}'`;

it('the staging folder is private, and empty when the store opens', () => {
  expect(readdirSync(staging)).toEqual([]);
  expect(statSync(staging).mode & 0o777).toBe(0o700);
});

it('a statement can write to the staging folder', async () => {
  await connection.run(`COPY (SELECT 1 AS n) TO ${quoted(join(staging, 'n.parquet'))} (FORMAT parquet)`);
  expect(existsSync(join(staging, 'n.parquet'))).toBe(true);
});

it('no statement can read or write anything else', async () => {
  symlinkSync(join(folder, 'secret.txt'), join(staging, 'link.txt'));
  const outside = [
    join(folder, 'secret.txt'),
    join(folder, 'data', 'logs.duckdb.copy'),
    `${staging}/../../secret.txt`,
    `${staging}/link.txt`,
    `${staging}-other.csv`,
    '/etc/hostname',
  ];
  for (const path of outside) {
    await expect(connection.run(`SELECT * FROM read_text(${quoted(path)})`)).rejects.toThrow(/Permission Error/);
    await expect(connection.run(`COPY (SELECT 1) TO ${quoted(path)} (FORMAT csv)`)).rejects.toThrow(/Permission Error/);
    await expect(connection.run(`ATTACH ${quoted(path)} AS other`)).rejects.toThrow(/Permission Error/);
  }
  await expect(connection.run(`SELECT * FROM glob(${quoted(`${folder}/*`)})`)).rejects.toThrow(/Permission Error/);
  await expect(connection.run('INSTALL httpfs')).rejects.toThrow(/Permission Error/);
});

it('no statement can widen the access', async () => {
  for (const change of [
    "SET GLOBAL allowed_directories = ['/']",
    'SET GLOBAL enable_external_access = true',
    'SET GLOBAL lock_configuration = false',
    "SET GLOBAL temp_directory = '/tmp'",
    "SET GLOBAL allowed_configs = ['temp_directory']",
    "SET GLOBAL max_temp_directory_size = '1TiB'",
  ]) {
    await expect(connection.run(change)).rejects.toThrow(/locked|Cannot/);
  }
});

it('memory can be given back, which keeps its limit', async () => {
  await database.giveBackMemory(connection);
  const reader = await connection.runAndReadAll("SELECT current_setting('memory_limit')");
  expect(reader.getRows()).toEqual([['64.0 MiB']]);
});

it('a data folder with something in the way of its folders is named with what to do', async () => {
  const dataDir = join(folder, 'blocked');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'journal'), 'a file in the place of the folder');
  const refused = { code: 'backend_unavailable', message: 'the data folder cannot be used (EEXIST)' };
  const options = { dataDir, sources: [], memoryLimitMb: 64, threads: 1 };
  await expect(openDuckDbStore(options)).rejects.toMatchObject({
    ...refused,
    details: { hint: expect.stringContaining('able to read and write the folder') as string },
  });
  rmSync(join(dataDir, 'journal'));
  rmSync(stagingFolder(dataDir), { recursive: true, force: true });
  jest.spyOn(fs, 'mkdirSync').mockImplementation((path) => {
    throw Object.assign(new Error(`EACCES: permission denied, mkdir '${String(path)}'`), {
      code: 'EACCES',
      syscall: 'mkdir',
    });
  });
  await expect(openDuckDbStore(options)).rejects.toMatchObject({ message: 'the data folder cannot be used (EACCES)' });
  jest.restoreAllMocks();
});
