/**
 * Backups that go from one store to the other, on a real ClickHouse engine.
 *
 * @slow 25
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Source } from '#contract/events/source';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import buildServer from '../../support/processes/build-server';
import { type ClickHouseEngine, startClickHouseEngine } from '../../support/processes/clickhouse';
import { apiOf } from '../../support/servers/api';
import { type CliOutcome, createPlace, runCliWith, startService } from '../../support/servers/spawned';
import { ingestBatch } from '../../support/stores/ingest-batch';
import { storedRows } from '../../support/stores/stored-rows';
import { makeSource, NOW_MICROS, openFixture, type StoreFixture } from '../stores/store-fixture';

jest.setTimeout(90_000);

const source: Source = makeSource({
  columns: { project: 'STRING', size: 'FLOAT64', count: 'INT64', ok: 'BOOL' },
  fields: { 'request.path': 'STRING' },
  tenant: 'project',
});

let engine: ClickHouseEngine;
let original: StoreFixture;
let folder: string;

beforeAll(async () => {
  await buildServer();
  engine = await startClickHouseEngine();
  original = await openFixture([source]);
  folder = mkdtempSync(path.join(tmpdir(), 'lqe-stores-'));
  mkdirSync(path.join(folder, 'endpoints'));
  writeFileSync(path.join(folder, 'sources.yaml'), JSON.stringify({ sources: [source] }));
  const odd = 'tab\t line\n quote" back\\ ünïcode 🦆';
  await original.ingest(
    Array.from({ length: 40 }, (_, n) => ({
      id: `e${n}`,
      timestamp: `2026-11-${18 + (n % 3)}T0${n % 10}:00:00.00000${n % 10}Z`,
      event_message: n % 7 === 0 ? undefined : `${odd} ${n}`,
      project: n % 5 === 0 ? undefined : `p${n % 4}`,
      size: n % 4 === 0 ? undefined : n / 3,
      count: '9007199254740993',
      ok: n % 3 === 0,
      metadata: { request: [{ path: `/${n}` }], n, [odd]: odd, tags: ['a', odd], list: [{ a: n }, { a: odd }] },
    }))
  );
  const late = { id: 'late', metadata: { n: 'a text now', request: 'odd', of_tenant: 1 } };
  await original.store.ingest({
    ...ingestBatch({ source: 'events', body: Buffer.from(JSON.stringify(late)), nowMicros: NOW_MICROS }),
    tenant: { confinedTo: 'p1', given: null },
  });
  await original.store.close();
  const common = ['--sources-file', path.join(folder, 'sources.yaml')];
  expect((await runCliWith(clickHouse('restored'), 'store', 'init', '--yes', ...common)).code).toBe(0);
}, 120_000);
afterAll(async () => {
  await engine.stop();
  await original.remove();
  rmSync(folder, { recursive: true });
});
afterEach(() => engine.setRules([]));

const clickHouse = (database: string): Record<string, string> => ({
  LQE_STORE: 'clickhouse',
  LQE_CLICKHOUSE_URL: engine.url,
  LQE_CLICKHOUSE_USER: 'writer',
  LQE_CLICKHOUSE_PASSWORD: 'write',
  LQE_CLICKHOUSE_DATABASE: database,
});
const definitions = (): string[] => [
  ...['--endpoints-dir', path.join(folder, 'endpoints')],
  ...['--sources-file', path.join(folder, 'sources.yaml')],
];
const run = (command: 'backup' | 'restore', env: Record<string, string>, name: string, data: string) =>
  runCliWith(env, command, path.join(folder, name), '--data-dir', path.resolve(folder, data), ...definitions());
const backup = (env: Record<string, string>, name: string, data: string): Promise<CliOutcome> =>
  run('backup', env, name, data);
const restore = (env: Record<string, string>, name: string, data: string): Promise<CliOutcome> =>
  run('restore', env, name, data);

it('a backup of the embedded store is restored into ClickHouse, and one of ClickHouse into the embedded store', async () => {
  expect((await backup({}, 'of-file', original.dataDir)).code).toBe(0);
  expect(await restore(clickHouse('restored'), 'of-file', 'data-of-clickhouse')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('41 events restored; counts and checksums of every day are equal'),
  });
  const [row] = await engine.query(
    "SELECT size, toString(count), ok, `metadata.request.path`, toUnixTimestamp64Micro(timestamp) FROM restored.events WHERE id = 'e7'"
  );
  expect(row!.map(String)).toEqual([String(7 / 3), '9007199254740993', 'false', '/7', '1795071600000007']);

  expect(await backup(clickHouse('restored'), 'of-clickhouse', 'data-of-clickhouse')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('41 events of 3 days, 3 of them written'),
  });
  expect((await restore({}, 'of-clickhouse', 'data-of-file')).code).toBe(0);
  const [there, here] = [
    await storedRows(path.join(folder, 'data-of-file'), [source]),
    await storedRows(original.dataDir, [source]),
  ];
  expect(there.size).toBe(41);
  expect([...here].find(([key, text]) => there.get(key) !== text)).toBeUndefined();
});

it('the fields that a tenant has added count for it in either store', async () => {
  const rows = await engine.query("SELECT path, physical FROM restored.lqe_fields WHERE source = 'events tenants'");
  expect(rows).toEqual([['["of_tenant"]', 'p1']]);
  const dataDir = path.join(folder, 'data-of-file');
  const store = await openDuckDbStore({ dataDir, sources: [source], memoryLimitMb: 256, threads: 1 });
  try {
    expect(store.fieldUse()['events']!.tenants).toEqual([{ tenant: 'p1', fields: 1, columns: 1 }]);
  } finally {
    await store.close();
  }
});

it('of ClickHouse, too, only the days that changed are written', async () => {
  expect((await backup(clickHouse('restored'), 'of-clickhouse', 'data-of-clickhouse')).stdout).toContain(' 0 of them');
  await engine.query("ALTER TABLE restored.events DELETE WHERE id = 'e1' SETTINGS mutations_sync = 2");
  expect((await backup(clickHouse('restored'), 'of-clickhouse', 'data-of-clickhouse')).stdout).toContain(
    '40 events of 3 days, 1 of them'
  );
});

it('a ClickHouse with events is not restored into', async () => {
  const outcome = await restore(clickHouse('restored'), 'of-file', 'refused');
  expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('ClickHouse has events') });
  expect(existsSync(path.join(folder, 'refused'))).toBe(false);
});

it('a failure of ClickHouse ends a backup, and leaves the last complete one', async () => {
  const manifest = path.join(folder, 'of-clickhouse', 'manifest.json');
  const before = readFileSync(manifest);
  await engine.query("ALTER TABLE restored.events DELETE WHERE id = 'e2' SETTINGS mutations_sync = 2");
  await engine.setRules([{ match: 'FORMAT Parquet', then: { code: 241, message: 'Memory limit exceeded' } }]);
  expect((await backup(clickHouse('restored'), 'of-clickhouse', 'data-of-clickhouse')).code).toBe(1);
  expect(readFileSync(manifest)).toEqual(before);
  await engine.setRules([]);
  expect((await backup(clickHouse('restored'), 'of-clickhouse', 'data-of-clickhouse')).code).toBe(0);
  expect(readdirSync(path.join(folder, 'of-clickhouse', 'events', 'events')).length).toBe(3);
});

it('a source of the API is restored into ClickHouse: its definition, then its table, then its events', async () => {
  const place = createPlace();
  const service = await startService(place);
  try {
    const api = apiOf(service);
    expect((await api('POST', '/sources', { definition: { name: 'app', fields: { ms: 'INT64' } } })).status).toBe(201);
    expect((await api('POST', '/logs?source=app', { message: 'one', ms: 7 })).status).toBe(200);
    const made = await runCliWith(
      { LQE_DATA_DIR: place.dataDir, LQE_ENDPOINTS_DIR: place.endpointsDir },
      'backup',
      path.join(folder, 'with-api')
    );
    expect(made.code).toBe(0);
  } finally {
    await service.stop('SIGINT');
    place.remove();
  }
  const env = clickHouse('whole');
  const into = (name: string): string => path.join(folder, 'whole', name);
  const data = ['--data-dir', into('data'), '--sources-file', into('sources.yaml')];
  const from = [path.join(folder, 'with-api'), ...data, '--endpoints-dir', into('endpoints')];
  expect(await runCliWith(env, 'restore', ...from, '--only', 'catalog')).toMatchObject({ code: 0 });
  expect(await runCliWith(env, 'store', 'init', '--yes', ...data)).toMatchObject({ code: 0 });
  expect(await runCliWith(env, 'restore', ...from, '--only', 'events')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 event restored'),
  });
  expect(await engine.query('SELECT event_message, `metadata.ms` FROM whole.app')).toEqual([['one', 7]]);
});
