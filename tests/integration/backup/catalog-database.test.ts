/**
 * Backup and restore of a catalog in a real PostgreSQL.
 *
 * @slow 15
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { CATALOG_TABLES } from '#server/catalog/database/schema';
import buildServer from '../../support/processes/build-server';
import type { DatabaseProcess } from '../../support/processes/database';
import { startPostgres } from '../../support/processes/postgres';
import { type CliOutcome, runCliWith } from '../../support/servers/spawned';
import { makeSource, openFixture, type StoreFixture } from '../stores/store-fixture';

jest.setTimeout(60_000);

const KEY = 'c0ffee'.padEnd(64, '0');
const QUERY = 'id: 7d1a9fd0-0000-4000-8000-0000000000a1\nname: answer\nquery: |\n  SELECT COUNT(*) AS n FROM events\n';

let postgres: DatabaseProcess;
let store: StoreFixture;
let folder: string;

beforeAll(async () => {
  await buildServer();
  postgres = await startPostgres();
  await inDatabase('postgres', 'CREATE DATABASE restored');
  store = await openFixture([makeSource()]);
  await store.ingest([{ id: 'e1', timestamp: '2026-11-20T01:00:00Z' }]);
  await store.store.close();
  folder = mkdtempSync(path.join(tmpdir(), 'lqe-catalog-backup-'));
  mkdirSync(path.join(folder, 'endpoints'));
  writeFileSync(path.join(folder, 'endpoints', 'answer.yaml'), QUERY);
  writeFileSync(path.join(folder, 'sources.yaml'), JSON.stringify({ sources: [makeSource()] }));
}, 120_000);
afterAll(async () => {
  await postgres.remove();
  await store.remove();
  rmSync(folder, { recursive: true });
});

const urlOf = (database: string): string => postgres.url.replace(/\/postgres$/, `/${database}`);
const lqe = (database: string, ...args: string[]): Promise<CliOutcome> =>
  runCliWith({ LQE_CATALOG_URL: urlOf(database), LQE_SERVER_KEY: KEY }, ...args);

async function inDatabase(database: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: urlOf(database) });
  await client.connect();
  return (await client.query<Record<string, unknown>>(sql).finally(() => client.end())).rows;
}

async function allRows(database: string): Promise<unknown> {
  const tables: Record<string, unknown> = {};
  for (const table of CATALOG_TABLES) {
    tables[table] = await inDatabase(database, `SELECT to_jsonb(t)::text AS row FROM ${table} t ORDER BY 1`);
  }
  return tables;
}

it('all tables of the catalog are restored into an empty database', async () => {
  const files = [
    '--endpoints-dir',
    path.join(folder, 'endpoints'),
    '--sources-file',
    path.join(folder, 'sources.yaml'),
  ];
  expect((await lqe('postgres', 'catalog', 'init')).code).toBe(0);
  expect((await lqe('postgres', 'catalog', 'push', ...files)).code).toBe(0);
  expect((await lqe('postgres', 'token', 'create', '--name', 'one', '--scope', 'query')).code).toBe(0);
  const to = path.join(folder, 'backup');
  const backup = await lqe('postgres', 'backup', to, '--data-dir', store.dataDir);
  expect(backup).toMatchObject({ code: 0, stdout: expect.stringContaining('1 event of 1 day,') });

  const into = (name: string): string[] => ['restore', to, '--data-dir', path.join(folder, name)];
  const wrongKey = { LQE_CATALOG_URL: urlOf('restored'), LQE_SERVER_KEY: '0'.repeat(64) };
  expect((await runCliWith(wrongKey, ...into('refused'))).stderr).toContain('LQE_SERVER_KEY is not the key');
  expect((await runCliWith({ LQE_SERVER_KEY: KEY }, ...into('refused'))).stderr).toContain('Set LQE_CATALOG_URL');

  expect((await lqe('restored', ...into('data'))).stdout).toContain('1 event restored');
  expect(await allRows('restored')).toEqual(await allRows('postgres'));
  expect((await lqe('restored', 'token', 'list')).stdout).toContain('one');
  expect((await lqe('restored', ...into('again'))).stderr).toContain('The catalog is not empty');
  // As after a call that was ended between the end of its transaction and the note of it.
  const continued = await lqe('restored', ...into('again'));
  expect(continued).toMatchObject({ code: 0, stdout: expect.stringContaining('1 event restored') });
  await inDatabase('restored', `UPDATE lqe_tokens SET token = token || '{"name":"two"}'`);
  const attempts = [await lqe('restored', ...into('other')), await lqe('restored', ...into('other'))];
  for (const { stderr } of attempts) expect(stderr).toContain('The catalog is not empty');
});
