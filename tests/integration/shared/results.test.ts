/**
 * Two servers that share results in a real Redis. Their stores differ, and say that they do not: so each answer tells
 * which server ran it. Rows of the wrong store are those that were shared.
 *
 * @slow 40
 * @waits
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import buildServer from '../../support/processes/build-server';
import type { DatabaseProcess } from '../../support/processes/database';
import { REDIS_PASSWORD, startRedis } from '../../support/processes/redis';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  runCliWith,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';

const SERVER_KEY = 'beef'.padEnd(64, '1');
const MARK = 'mark-of-one-event';
const definition = (name: string, id: string, rest: string): string => `id: 7d1a9fd0-0000-4000-8000-0000000000${id}
name: ${name}
sandbox: true
cache_seconds: 600
${rest}
parameters: [{ name: project, required: true }]
query: |
  WITH logs AS (SELECT event_message, project FROM edge_requests WHERE project = @project)
  SELECT COUNT(*) AS n, MAX(event_message) AS message FROM logs
`;

const LINES = `id: 7d1a9fd0-0000-4000-8000-0000000000b3
name: lines
cache_seconds: 600
max_bytes: 33554432
parameters: [{ name: project, required: true }]
query: |
  SELECT id, event_message FROM edge_requests WHERE project = @project
`;
/** Some eight kilobytes, as they come in requests: words that are in every line, and some that are not. */
const longLine = (n: number): string =>
  Array.from(
    { length: 80 },
    (_, at) =>
      `header_${at}: text/html; charset=utf-8; q=${n}.${at} ${createHash('md5').update(`${n}:${at}`).digest('hex')}`
  ).join(' ');

let redis: DatabaseProcess;
let client: Redis;
let places: Place[];
let servers: ServiceProcess[];
let a: ServiceProcess;
let b: ServiceProcess;
let env: Record<string, string>;
let projects = 0;

/** A parameter that no call has used yet. */
const fresh = (): string => `p${(projects += 1)}`;
const request = (server: ServiceProcess, target: string, init: RequestInit = {}): Promise<Response> =>
  fetch(server.url + target, {
    ...init,
    headers: { 'X-API-KEY': PROCESS_TOKEN, ...init.headers },
    signal: AbortSignal.timeout(30_000),
  });

interface Asked {
  readonly cache: string;
  readonly n: number;
  readonly message: string | null;
  readonly headers: Headers;
}

async function ask(
  server: ServiceProcess,
  project: string,
  headers: Record<string, string> = {},
  name = 'counted'
): Promise<Asked> {
  const answer = await request(server, `/api/endpoints/query/${name}?project=${project}`, { headers });
  expect(answer.status).toBe(200);
  const { result } = (await answer.json()) as { result: { n: number; message: string | null }[] };
  return { cache: answer.headers.get('cache-status')!, ...result[0]!, headers: answer.headers };
}

async function metric(server: ServiceProcess, line: string): Promise<number> {
  const text = await (await request(server, '/metrics')).text();
  return Number(
    text
      .split('\n')
      .find((row) => row.startsWith(`${line} `))
      ?.split(' ')[1] ?? 0
  );
}

async function until(done: () => Promise<boolean>): Promise<void> {
  while (!(await done())) await delay(50);
}

const isUp = async (server: ServiceProcess): Promise<boolean> =>
  (await metric(server, 'logquery_shared_cache_up')) === 1;
const stored = (server: ServiceProcess): Promise<number> =>
  metric(server, 'logquery_shared_cache_writes_total{outcome="stored"}');
const refused = (server: ServiceProcess): Promise<number> =>
  metric(server, 'logquery_shared_cache_lookups_total{outcome="refused"}');

/** Server A runs it, and the result has arrived in Redis. @returns the key that is new there */
async function runOnA(project: string, headers: Record<string, string> = {}): Promise<string> {
  const before = new Set(await client.keys('*'));
  const count = await stored(a);
  // What is run while a purge is noticed is kept nowhere: the next call runs it.
  await until(async () => (await ask(a, project, headers)).cache === 'log-query; fwd=miss; stored');
  await until(async () => (await stored(a)) > count);
  return (await client.keys('*')).find((key) => !before.has(key) && !key.endsWith(':generations'))!;
}

const connect = (): Redis => new Redis(redis.url, { retryStrategy: (times) => Math.min(times * 50, 500) });

beforeAll(async () => {
  await buildServer();
  redis = await startRedis();
  client = connect();
  client.on('error', () => undefined);
  places = [createPlace(), createPlace(), createPlace()];
  for (const { dataDir, endpointsDir } of places) {
    mkdirSync(dataDir);
    writeFileSync(path.join(dataDir, 'store.id'), '00000000\n');
    writeFileSync(path.join(endpointsDir, 'counted.yaml'), definition('counted', 'b1', ''));
    writeFileSync(path.join(endpointsDir, 'lines.yaml'), LINES);
    writeFileSync(path.join(endpointsDir, 'warm.yaml'), definition('warm', 'b2', 'warm_seconds: 1'));
  }
  writeFileSync(path.join(places[2]!.endpointsDir, 'counted.yaml'), definition('counted', 'b1', 'max_rows: 7'));
  env = {
    LQE_CACHE_URL: redis.url,
    LQE_SERVER_KEY: SERVER_KEY,
    // A machine that is busy with other tests must not turn hits into misses.
    LQE_CACHE_TIMEOUT_MS: '4000',
    LQE_MAX_REQUESTS_PER_MINUTE: '1000000',
  };
  servers = await Promise.all([startService(places[0]!, env), startService(places[1]!, env)]);
  [a, b] = servers as [ServiceProcess, ServiceProcess];
  const events = Array.from({ length: 60 }, (_, index) => ({
    timestamp: new Date().toISOString(),
    project: `p${index + 1}`,
    event_message: `${MARK} user@example.com`,
    metadata: {},
  }));
  const kept = await request(a, '/api/logs?source=edge_requests', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(events),
  });
  expect(kept.status).toBe(200);
  for (const server of servers) await until(() => isUp(server));
}, 180_000);

afterAll(async () => {
  client.disconnect();
  await Promise.all(servers.map((server) => server.stop('SIGINT')));
  places.forEach((place) => place.remove());
  await redis.remove();
}, 60_000);

it('the result of one server is a hit on the other, byte for byte, and then in its own memory', async () => {
  const project = fresh();
  await runOnA(project);
  const first = await ask(a, project);
  const second = await ask(b, project);
  expect(first).toMatchObject({
    n: 1,
    message: `${MARK} user@example.com`,
    cache: expect.stringMatching(/^log-query; hit; ttl=\d+$/),
  });
  expect(second).toMatchObject({
    n: 1,
    message: first.message,
    cache: expect.stringMatching(/^log-query; hit; ttl=(600|5\d\d); detail=shared$/),
  });
  expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
  expect((await ask(b, project)).cache).toMatch(/^log-query; hit; ttl=\d+$/);
  const renewed = await ask(b, project, { 'Cache-Control': 'no-cache' });
  expect(renewed).toMatchObject({ n: 0, cache: 'log-query; fwd=request; stored' });
});

it('a result of a thousand long lines is shared too', async () => {
  const project = 'long';
  const events = Array.from({ length: 1000 }, (_, n) => ({
    id: `long-${n}`,
    project,
    event_message: longLine(n),
    metadata: {},
  }));
  const kept = await request(a, '/api/logs?source=edge_requests', { method: 'POST', body: JSON.stringify(events) });
  expect(kept.status).toBe(200);
  const lines = (server: ServiceProcess): Promise<Response> =>
    request(server, `/api/endpoints/query/lines?project=${project}`);
  const count = await stored(a);
  const first = await (await lines(a)).text();
  expect(first.length).toBeGreaterThan(6_000_000);
  await until(async () => (await stored(a)) > count);
  const second = await lines(b);
  expect(second.headers.get('cache-status')).toMatch(/; detail=shared$/);
  expect((await second.text()) === first).toBe(true);
  const sizes = await Promise.all((await client.keys('*')).map((key) => client.strlen(key).catch(() => 0)));
  expect(Math.max(...sizes)).toBeLessThan(first.length / 2);
});

it('callers with another view get no shared result: redaction, format, row cap, fixed parameters, definition', async () => {
  const project = fresh();
  await runOnA(project);
  const redacted = await ask(b, project, { 'SVC-ENDPOINT-REDACT-PII': 'true' });
  expect(redacted).toMatchObject({ n: 0, cache: 'log-query; fwd=miss; stored' });
  const other = fresh();
  await runOnA(other, { 'SVC-ENDPOINT-REDACT-PII': 'true' });
  expect((await ask(b, other)).cache).toBe('log-query; fwd=miss; stored');
  expect((await ask(b, other, { 'SVC-ENDPOINT-REDACT-PII': 'true' })).message).toMatch(/^mark-of-one-event (?!user@)/);

  const csv = await request(b, `/api/endpoints/query/counted?project=${project}`, { headers: { Accept: 'text/csv' } });
  expect(csv.headers.get('cache-status')).toBe('log-query; fwd=miss; stored');

  const token = async (...args: string[]): Promise<Record<string, string>> => {
    const where = ['--data-dir', places[1]!.dataDir, '--name', args.join(' ')];
    const made = await runCliWith({ LQE_SERVER_KEY: SERVER_KEY }, 'token', 'create', ...where, ...args);
    return { 'X-API-KEY': made.stdout.trim() };
  };
  const [bound, capped, free] = [
    await token('--fix', `project=${fresh()}`),
    await token('--max-rows', '3'),
    await token('--scope', 'query'),
  ];
  expect((await request(b, `/api/endpoints/query/counted?project=${project}`, { headers: bound })).status).toBe(403);
  expect(await (await request(b, '/api/endpoints/query/counted', { headers: bound })).json()).toMatchObject({
    result: [{ n: 0 }],
  });
  expect((await ask(b, project, capped)).cache).toBe('log-query; fwd=miss; stored');
  expect((await ask(b, project, free)).cache).toMatch(/detail=shared$/);

  const c = await startService(places[2]!, env);
  try {
    await until(() => isUp(c));
    expect(await ask(c, project)).toMatchObject({ n: 0, cache: 'log-query; fwd=miss; stored' });
  } finally {
    await c.stop('SIGINT');
  }
}, 60_000);

it('a purge removes results from the memory of every server and from Redis', async () => {
  const [kept, lying] = [fresh(), fresh()];
  await runOnA(kept);
  await runOnA(lying);
  expect((await ask(b, kept)).n).toBe(1);
  const purged = await request(b, '/api/endpoints/counted/cache', { method: 'DELETE' });
  expect(purged.status).toBe(204);
  // Run again, by the server that gets the call.
  for (const project of [kept, lying])
    expect(await ask(b, project)).toMatchObject({ n: 0, cache: 'log-query; fwd=miss; stored' });
  await until(async () => (await ask(a, kept)).cache.endsWith('detail=shared'));
  expect((await ask(a, kept)).n).toBe(0);
}, 60_000);

describe('an entry in Redis that no server of ours stored for this very request is a miss, with correct rows', () => {
  const sealed = (key: string): Promise<Buffer> => client.getBuffer(key) as Promise<Buffer>;
  it.each<[string, (key: string) => Promise<unknown>]>([
    ['garbage', (key) => client.set(key, 'garbage', 'PX', 500_000)],
    [
      'an entry with one bit turned',
      async (key) => {
        const bytes = await sealed(key);
        bytes[bytes.length - 3]! ^= 1;
        await client.set(key, bytes, 'PX', 500_000);
      },
    ],
    [
      'an entry of another queryRequest',
      async (key) => client.set(key, await sealed(await runOnA(fresh())), 'PX', 500_000),
    ],
    ['rows in plain JSON', (key) => client.set(key, '{"result":[{"n":99,"message":"injected"}]}', 'PX', 500_000)],
    [
      'another type',
      async (key) => {
        await client.del(key);
        await client.rpush(key, 'x');
        await client.pexpire(key, 500_000);
      },
    ],
    ['five megabytes', (key) => client.set(key, Buffer.alloc(5 * 1024 * 1024), 'PX', 500_000)],
    ['an entry that never ends', (key) => client.persist(key)],
    ['an entry that is to live longer than its result', (key) => client.pexpire(key, 10_000_000)],
  ])('%s', async (_what, tamper) => {
    const project = fresh();
    await tamper(await runOnA(project));
    const before = await refused(b);
    expect(await ask(b, project)).toMatchObject({ n: 0, message: null, cache: 'log-query; fwd=miss; stored' });
    expect(await refused(b)).toBe(before + 1);
  });

  it('a purge counter that was deleted makes misses, never old rows', async () => {
    const project = fresh();
    await runOnA(project);
    await client.del((await client.keys('*:generations'))[0]!);
    // Not stored where the server takes the loss for a purge while the query runs.
    const { n, cache } = await ask(b, project);
    expect([n, cache]).toEqual([0, expect.stringMatching(/^log-query; fwd=miss/)]);
  });

  it('no part of a row can be read in Redis', async () => {
    await runOnA(fresh());
    for (const key of await client.keys('*')) {
      const dump = await client.dumpBuffer(key);
      for (const word of [MARK, 'example.com', 'counted', 'event_message'])
        expect(dump.includes(word) || key.includes(word)).toBe(false);
    }
  });
});

it('one server at a time refreshes a result in the background, and the other takes it over', async () => {
  const project = fresh();
  const warm = async (server: ServiceProcess): Promise<Asked> => ask(server, project, {}, 'warm');
  await warm(a);
  await warm(b);
  const runs = (server: ServiceProcess, outcome: string): Promise<number> =>
    metric(server, `logquery_cache_warm_runs_total{endpoint="warm",outcome="${outcome}"}`);
  const sum = async (outcome: string): Promise<number> => (await runs(a, outcome)) + (await runs(b, outcome));
  await until(async () => (await sum('ok')) >= 2 && (await sum('shared')) >= 2);
  expect(await sum('failed')).toBe(0);
}, 60_000);

describe.each([
  ['is stopped', () => redis.stop(), () => redis.start()],
  ['holds still', async () => redis.pause(), async () => redis.resume()],
])('when Redis %s', (_how, end, begin) => {
  it('every call has correct rows, a purge reports the failure, and all is well afterwards', async () => {
    // From now on this server knows the purges there were; one noticed later would take away what follows.
    expect((await request(a, '/api/endpoints/counted/cache', { method: 'DELETE' })).status).toBe(204);
    const before = fresh();
    await runOnA(before);
    await end();
    for (let calls = 0; calls < 6; calls += 1) {
      expect(await ask(b, fresh())).toMatchObject({ n: 0, cache: 'log-query; fwd=miss; stored' });
    }
    expect((await ask(a, before)).cache).toMatch(/^log-query; hit/);
    expect(await isUp(b)).toBe(false);
    const purged = await request(a, '/api/endpoints/counted/cache', { method: 'DELETE' });
    expect([purged.status, await purged.json()]).toMatchObject([503, { error: { code: 'cache_unavailable' } }]);
    expect((await ask(a, before)).cache).toBe('log-query; fwd=miss; stored');
    await begin();
    for (const server of servers) await until(() => isUp(server));
    await until(async () => (await client.ping().catch(() => '')) === 'PONG');
    const after = fresh();
    await runOnA(after);
    expect(await ask(b, after)).toMatchObject({ n: 1, cache: expect.stringMatching(/detail=shared$/) });
  }, 90_000);
});

it('no log line has a secret, a row or a key', () => {
  for (const server of servers) {
    const output = server.output();
    expect(output).toContain('the shared cache does not answer');
    for (const secret of [REDIS_PASSWORD, SERVER_KEY, 'redis://', MARK]) expect(output).not.toContain(secret);
  }
});
