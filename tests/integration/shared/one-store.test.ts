/**
 * All of it together: two servers over one ClickHouse, one PostgreSQL and one Redis, set up with the commands of the
 * documents.
 *
 * @slow 45
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import buildServer from '../../support/processes/build-server';
import { type ClickHouseEngine, startClickHouseEngine } from '../../support/processes/clickhouse';
import type { DatabaseProcess } from '../../support/processes/database';
import { startPostgres } from '../../support/processes/postgres';
import { startRedis } from '../../support/processes/redis';
import {
  type CliOutcome,
  createPlace,
  type Place,
  PROCESS_TOKEN,
  runCliWith,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';

jest.setTimeout(60_000);

const USAGE = '/api/endpoints/query/usage.api-counts?interval=daily&project=p1';

let clickhouse: ClickHouseEngine;
let postgres: DatabaseProcess;
let redis: DatabaseProcess;
let places: readonly [Place, Place];
let servers: [ServiceProcess, ServiceProcess];
let env: Record<string, string>;

async function lqe(...args: string[]): Promise<CliOutcome> {
  const outcome = await runCliWith(env, ...args);
  if (outcome.code !== 0) throw new Error(outcome.stderr);
  return outcome;
}

const call = (server: ServiceProcess, target: string, init: RequestInit = {}): Promise<Response> =>
  fetch(server.url + target, { ...init, headers: { 'X-API-KEY': PROCESS_TOKEN, ...init.headers } });

async function until(done: () => Promise<boolean>): Promise<void> {
  while (!(await done())) await delay(50);
}

const metrics = async (server: ServiceProcess): Promise<string> => (await call(server, '/metrics')).text();

beforeAll(async () => {
  await buildServer();
  [clickhouse, postgres, redis] = await Promise.all([startClickHouseEngine(), startPostgres(), startRedis()]);
  places = [createPlace(), createPlace()];
  env = {
    LQE_STORE: 'clickhouse',
    LQE_CLICKHOUSE_URL: clickhouse.url,
    LQE_CLICKHOUSE_USER: 'writer',
    LQE_CLICKHOUSE_PASSWORD: 'write',
    LQE_CATALOG_URL: postgres.url,
    LQE_CACHE_URL: redis.url,
    LQE_CACHE_TIMEOUT_MS: '5000',
    LQE_SERVER_KEY: '5e'.repeat(32),
  };
  await lqe('store', 'init', '--yes');
  await lqe('catalog', 'init');
  await lqe('catalog', 'push');
  servers = await Promise.all([startService(places[0], env), startService(places[1], env)]);
  for (const server of servers) await until(async () => (await metrics(server)).includes('logquery_shared_cache_up 1'));
}, 180_000);

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop('SIGINT')));
  places.forEach((place) => place.remove());
  await Promise.all([clickhouse.stop(), postgres.remove(), redis.remove()]);
}, 60_000);

it('events sent to one server are found on the other, which also shares cached results', async () => {
  const [a, b] = servers;
  const events = ['/rest/v1/todos', '/rest/v1/users', '/auth/v1/token'].map((target, n) => ({
    id: `e${n}`,
    timestamp: new Date().toISOString(),
    project: 'p1',
    event_message: `GET ${target}`,
    metadata: { request: { method: 'GET', path: target, url: `https://p1.example.co${target}` } },
  }));
  const sent = await call(a, '/api/logs?source=edge_requests', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(events),
  });
  expect(await sent.json()).toMatchObject({ result: { accepted: 3, duplicates: 0 } });
  const again = await call(b, '/api/logs?source=edge_requests', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(events),
  });
  expect(await again.json()).toMatchObject({ result: { accepted: 3, duplicates: 3 } });
  const found = (await (await call(b, '/api/endpoints/query/logs.all?project=p1')).json()) as { result: unknown[] };
  expect(found.result).toHaveLength(3);

  const first = await call(a, USAGE);
  expect(first.headers.get('cache-status')).toBe('log-query; fwd=miss; stored');
  await until(async () => (await metrics(a)).includes('logquery_shared_cache_writes_total{outcome="stored"} 1'));
  const second = await call(b, USAGE);
  expect(second.headers.get('cache-status')).toMatch(/; detail=shared$/);
  expect(await second.text()).toBe(await first.text());
});

it('each server makes its data folder, for the time of its deletions by age and refused batches', async () => {
  for (const { dataDir } of places) await until(() => Promise.resolve(existsSync(path.join(dataDir, 'clock.json'))));
});

it('both servers list what is stored of each source', async () => {
  for (const server of servers) {
    const { result } = (await (await call(server, '/api/sources')).json()) as { result: Record<string, unknown>[] };
    const edge = result.find(({ name }) => name === 'edge_requests')!;
    expect(edge).toMatchObject({ events: 3, retention_days: 90 });
    expect(edge['bytes']).toBeGreaterThan(0);
    expect(Date.parse(String(edge['newest_event']))).toBeGreaterThan(Date.now() - 600_000);
    expect(result.find(({ name }) => name === 'database')).toMatchObject({ events: 0, bytes: 0, newest_event: null });
  }
});

it('a token works and is revoked on both servers, and one server goes on without the other', async () => {
  const token = (await lqe('token', 'create', '--name', 'both', '--fix', 'project=p1')).stdout.trim();
  const ask = (server: ServiceProcess): Promise<Response> =>
    call(server, '/api/endpoints/query/logs.all', { headers: { 'X-API-KEY': token } });
  for (const server of servers) expect((await ask(server)).status).toBe(200);
  await servers[0].stop('SIGKILL');
  expect((await ask(servers[1])).status).toBe(200);
  servers[0] = await startService(places[0], env);
  await until(async () => (await metrics(servers[0])).includes('logquery_shared_cache_up 1'));
  // What it had run before is there without a run.
  expect((await call(servers[0], USAGE)).headers.get('cache-status')).toMatch(/; detail=shared$/);
  await lqe('token', 'revoke', 'both');
  for (const server of servers) await until(async () => (await ask(server)).status === 401);
});

it('sources whose tables ClickHouse lacks are refused, also at a start, until the tables are created', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lqe-one-store-'));
  const sourcesFile = path.join(folder, 'sources.yaml');
  const files = ['--sources-file', sourcesFile];
  writeFileSync(
    sourcesFile,
    `${readFileSync('sources.yaml', 'utf8')}  - name: audit\n    columns: { actor: STRING }\n`
  );
  expect((await runCliWith(env, 'catalog', 'push', ...files)).stderr).toContain('audit');
  // As from a machine that does not know of ClickHouse.
  expect((await runCliWith({ ...env, LQE_STORE: 'duckdb' }, 'catalog', 'push', ...files)).stdout).toContain(
    'revision 2'
  );
  for (const server of servers)
    await until(async () => (await metrics(server)).includes('logquery_catalog_refused_total 1'));

  const again = async (): Promise<ServiceProcess> => {
    await servers[1].stop('SIGKILL');
    servers[1] = await startService(places[1], env);
    return servers[1];
  };
  const refusing = await again();
  expect(refusing.output()).toMatch(
    /"revision":2,"reason":"ClickHouse has no table audit[^"]* \(run [^)]*lqe store init[^)]*\)"/
  );
  expect(await metrics(refusing)).toMatch(/logquery_catalog_revision 1\n[^]*logquery_catalog_revision_in_force 2\n/);
  expect((await call(refusing, USAGE)).status).toBe(200);

  await lqe('store', 'init', '--yes', ...files);
  const serving = await again();
  expect(await metrics(serving)).toContain('logquery_catalog_revision 2\n');
  expect(await (await call(serving, '/health/ready')).json()).toEqual({ status: 'ok' });
  rmSync(folder, { recursive: true });
});
