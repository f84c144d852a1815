/**
 * `lqe store init|check|migrate` as an operator runs it, against a real ClickHouse engine.
 *
 * @slow 20
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import buildServer from '../../../support/processes/build-server';
import { type ClickHouseEngine, startClickHouseEngine } from '../../../support/processes/clickhouse';
import { runCliWith } from '../../../support/servers/spawned';

// Each word to the tool is a process of its own.
jest.setTimeout(60_000);

let engine: ClickHouseEngine;
let folder: string;
let sourcesFile: string;

beforeAll(async () => {
  await buildServer();
  engine = await startClickHouseEngine();
  folder = mkdtempSync(path.join(tmpdir(), 'lqe-schema-'));
  sourcesFile = path.join(folder, 'sources.yaml');
}, 120_000);
afterAll(async () => {
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => declare({ days: 30, fields: '{ status: INT64 }' }));
afterEach(() => engine.setRules([]));

function declare({ days, fields }: { days: number; fields: string }): void {
  writeFileSync(
    sourcesFile,
    `sources:\n  - name: things\n    columns: { project: STRING }\n    retention_days: ${days}\n    fields: ${fields}\n`
  );
}

async function store(words: string, env: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await runCliWith(
    { LQE_CLICKHOUSE_URL: engine.url, LQE_CLICKHOUSE_USER: 'writer', LQE_CLICKHOUSE_PASSWORD: 'write', ...env },
    'store',
    ...words.split(' '),
    '--sources-file',
    sourcesFile
  );
  return { code, text: stdout + stderr };
}

const tables = async (database: string): Promise<unknown[]> =>
  (await engine.query(`SELECT name FROM system.tables WHERE database = '${database}' ORDER BY name`)).flat();

it('init prints its statements, runs them with --yes, and has nothing to do after', async () => {
  const first = await store('init');
  expect(first).toMatchObject({ code: 0, text: expect.stringContaining('CREATE TABLE IF NOT EXISTS `lqe`.`things`') });
  expect(first.text).toContain('nothing was done; add --yes to do it');
  expect(await tables('lqe')).toEqual([]);
  expect(await store('check')).toMatchObject({ code: 1, text: expect.stringContaining('table things is missing') });

  expect(await store('init --yes')).toMatchObject({ code: 0, text: expect.stringContaining('done, 4 statements') });
  expect(await tables('lqe')).toEqual(['lqe_dead_letters', 'lqe_fields', 'things']);
  expect(await store('init --yes')).toMatchObject({ code: 0, text: expect.stringContaining('nothing to do') });
  expect(await store('check')).toMatchObject({ code: 0, text: expect.stringContaining('ready') });
});

it('migrate adds columns and changes the retention, and older rows are read through the new column', async () => {
  const env = { LQE_CLICKHOUSE_DATABASE: 'growing' };
  await store('init --yes', env);
  await engine.query(
    `INSERT INTO growing.things (id, timestamp, metadata_json, _fields) FORMAT JSONEachRow {"id":"a","timestamp":"2026-11-20 00:00:00","metadata_json":"{}","_fields":{"metadata.late":7,"metadata.ms":2}}`
  );
  declare({ days: 60, fields: '{ status: INT64, late: INT64, ms: FLOAT64 }' });
  expect(await store('init --yes', env)).toMatchObject({ text: expect.stringContaining('3 changes left') });
  expect(await store('migrate --yes', env)).toMatchObject({ code: 0, text: expect.stringContaining('done, 3') });
  expect(await store('check', env)).toMatchObject({ code: 0 });
  expect(await engine.query('SELECT `metadata.late`, `metadata.ms` FROM growing.things')).toEqual([[7, 2]]);
  const [[query]] = (await engine.query(
    "SELECT create_table_query FROM system.tables WHERE database = 'growing' AND name = 'things'"
  )) as [[string]];
  expect(query).toContain('toIntervalDay(60)');
});

it('migrate gives the tables of an earlier version their settings and indexes, and keeps a setting of the operator', async () => {
  const env = { LQE_CLICKHOUSE_DATABASE: 'earlier' };
  await store('init --yes', env);
  await engine.query('ALTER TABLE earlier.things RESET SETTING min_bytes_for_wide_part');
  await engine.query('ALTER TABLE earlier.things DROP INDEX by_message');
  const { code, text } = await store('check', env);
  expect(code).toBe(1);
  expect(text).toContain('table things lacks settings for cheaper inserts');
  expect(text).toContain('table things has no index on messages');
  expect(await store('migrate --yes', env)).toMatchObject({ code: 0, text: expect.stringContaining('done, 2') });
  const [[query]] = (await engine.query(
    "SELECT create_table_query FROM system.tables WHERE database = 'earlier' AND name = 'things'"
  )) as [[string]];
  expect(query).toContain('min_bytes_for_wide_part = 134217728');
  expect(query).toContain("INDEX by_message ifNull(event_message, '') TYPE ngrambf_v1(5, 32768, 2, 0) GRANULARITY 1");
  await engine.query('ALTER TABLE earlier.things MODIFY SETTING min_bytes_for_wide_part = 1');
  expect(await store('check', env)).toMatchObject({ code: 0 });
});

it('check reports what no statement can repair', async () => {
  const env = { LQE_CLICKHOUSE_DATABASE: 'odd' };
  await store('init --yes', env);
  await engine.query(
    `INSERT INTO odd.things (id, timestamp, metadata_json, _fields) FORMAT JSONEachRow {"id":"a","timestamp":"2026-11-20 00:00:00","metadata_json":"{}","_fields":{}}`
  );
  declare({ days: 30, fields: '{ status: STRING }' });
  const { code, text } = await store('check', env);
  expect([code, text]).toEqual([
    1,
    expect.stringContaining('metadata.status as Nullable(Int64), not as Nullable(String)'),
  ]);
  expect(text).not.toContain('to do:');
});

it('migrate changes the types of columns of a table without rows', async () => {
  const env = { LQE_CLICKHOUSE_DATABASE: 'empty' };
  await store('init --yes', env);
  declare({ days: 30, fields: '{ status: STRING }' });
  expect(await store('check', env)).toMatchObject({
    code: 1,
    text: expect.stringContaining('to do: table things, which has no rows, has metadata.status as Nullable(Int64)'),
  });
  expect(await store('migrate --yes', env)).toMatchObject({ code: 0, text: expect.stringContaining('done, 1') });
  expect(await store('check', env)).toMatchObject({ code: 0, text: expect.stringContaining('ready') });
});

it('migrate adds no column of another type than the events of a field have, which servers would refuse', async () => {
  const env = { LQE_CLICKHOUSE_DATABASE: 'typed' };
  await store('init --yes', env);
  await engine.query(
    'INSERT INTO typed.lqe_fields (source, path, kind, type, physical, at) FORMAT JSONEachRow ' +
      ['["late"]', '["deep","ms"]']
        .map((path) => ({ source: 'things', path, kind: 'leaf', type: 'STRING', physical: path, at: '2026-11-20' }))
        .map((row) => JSON.stringify(row))
        .join('\n')
  );
  declare({ days: 30, fields: '{ status: INT64, late: INT64, deep.ms: FLOAT64, fresh: BOOL }' });
  const { code, text } = await store('migrate --yes', env);
  expect([code, text]).toEqual([
    0,
    expect.stringContaining('field late of things is declared as INT64, and stored as'),
  ]);
  expect(text).toContain('field deep.ms of things is declared as FLOAT64, and stored as STRING: declare that type');
  expect(text).toMatch(/ADD COLUMN[^;]*metadata\.fresh/);
  expect(text).not.toMatch(/ADD COLUMN[^;]*metadata\.late/);
  expect(await store('check', env)).toMatchObject({ code: 1, text: expect.stringContaining('see the problems') });
  declare({ days: 30, fields: '{ status: INT64, late: STRING, deep.ms: STRING, fresh: BOOL }' });
  expect(await store('migrate --yes', env)).toMatchObject({ code: 0, text: expect.stringContaining('done') });
  expect(await store('check', env)).toMatchObject({ code: 0, text: expect.stringContaining('ready') });
});

it('with a cluster, tables are replicated and distributed over it', async () => {
  await engine.setRules([{ match: 'system.clusters', then: { answer: '[1]\nend\n' } }]);
  const { code, text } = await store('init', { LQE_CLICKHOUSE_CLUSTER: 'logs', LQE_CLICKHOUSE_DATABASE: 'spread' });
  expect(code).toBe(0);
  for (const part of [
    'CREATE DATABASE IF NOT EXISTS `spread` ON CLUSTER `logs`',
    'CREATE TABLE IF NOT EXISTS `spread`.`things_local` ON CLUSTER `logs`',
    "ReplicatedMergeTree('/clickhouse/tables/{shard}/spread/things', '{replica}')",
    'CREATE TABLE IF NOT EXISTS `spread`.`things` ON CLUSTER `logs` AS `spread`.`things_local`',
    "Distributed('logs', 'spread', 'things_local', cityHash64(`id`))",
    "ReplicatedReplacingMergeTree('/clickhouse/tables/all/spread/lqe_fields', '{shard}-{replica}')",
  ]) {
    expect(text).toContain(part);
  }
});

it.each([
  ['a wrong address', { LQE_CLICKHOUSE_URL: 'http://127.0.0.1:9' }, [], 'ClickHouse does not answer'],
  ['a wrong password', { LQE_CLICKHOUSE_PASSWORD: 'wrong' }, [], 'refuses the user or the password'],
  [
    'a user that may only read',
    { LQE_CLICKHOUSE_USER: 'reader', LQE_CLICKHOUSE_PASSWORD: 'read' },
    [],
    'lacks a right',
  ],
  ['an unknown cluster', { LQE_CLICKHOUSE_CLUSTER: 'nowhere' }, [], 'no cluster "nowhere"'],
  [
    'a release too old',
    {},
    [{ match: 'version\\(\\)', then: { answer: '["24.8.5.1"]\nend\n' } }],
    '24.8.5.1 is too old',
  ],
  [
    'a replica that is away',
    {},
    [{ match: 'CREATE', then: { code: 159, message: 'Distributed DDL task is not finished (TIMEOUT_EXCEEDED)' } }],
    'run it again',
  ],
])('%s is reported without a hang', async (_, env, rules, words) => {
  await engine.setRules(rules);
  const { code, text } = await store('init --yes', { LQE_CLICKHOUSE_DATABASE: 'faulty', ...env });
  expect([code, text]).toEqual([1, expect.stringContaining(words)]);
});

it('a release with the known vulnerability is reported', async () => {
  await engine.setRules([{ match: 'version\\(\\)', then: { answer: '["26.8.35.9"]\nend\n' } }]);
  expect((await store('check')).text).toContain('it is closed in 26.3.62.3, 26.8.36.3, 26.9.27.3 and 26.10.3.7');
  await engine.setRules([{ match: 'version\\(\\)', then: { answer: '["26.8.36.3"]\nend\n' } }]);
  expect((await store('check')).text).not.toContain('warning');
});
