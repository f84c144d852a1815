/**
 * The cache in front of the real engine and store.
 *
 * @slow 10
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import buildServer from '../../support/processes/build-server';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  runCli,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';

const USAGE = '/api/endpoints/query/usage.api-counts?interval=daily&project=';
/** Renewed each second, so that the test need not wait long. */
const QUICK = `id: 7d1a9fd0-0000-4000-8000-0000000000c1
name: quick
sandbox: true
cache_seconds: 600
warm_seconds: 1
parameters: [{ name: project, required: true }]
query: |
  WITH edge_logs AS (SELECT id FROM edge_requests WHERE project = @project) SELECT COUNT(*) AS n FROM edge_logs
`;

/** The herd is larger than what a token may send by default. */
const ENV = { LQE_MAX_REQUESTS_PER_MINUTE: '100000' };

let place: Place;
let service: ServiceProcess;

beforeAll(async () => {
  await buildServer();
  place = createPlace();
  writeFileSync(path.join(place.endpointsDir, 'quick.yaml'), QUICK);
  service = await startService(place, ENV);
}, 180_000);
afterAll(async () => {
  await service.stop('SIGINT');
  place.remove();
});

const KEY = { 'X-API-KEY': PROCESS_TOKEN };
const get = (target: string, headers: Record<string, string> = {}) =>
  fetch(service.url + target, { headers: { ...KEY, ...headers } });
const statusOf = (answer: Response) => answer.headers.get('cache-status');

async function store(project: string, count = 1): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => ({
    timestamp: new Date().toISOString(),
    project,
    event_message: `GET ${index} ${Math.random()}`,
    metadata: { request: { path: '/rest/v1/a', url: `https://${project}.example/rest/v1/a`, method: 'GET' } },
  }));
  const answer = await fetch(`${service.url}/api/logs?source=edge_requests`, {
    method: 'POST',
    headers: { ...KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify(events),
  });
  expect(answer.status).toBe(200);
}

async function restRequests(answer: Response): Promise<number> {
  const { result } = (await answer.json()) as { result: { total_rest_requests: number }[] };
  return result.reduce((sum, row) => sum + row.total_rest_requests, 0);
}

it('a cached result stays until it is purged or a token with the scope bypasses the cache', async () => {
  await store('stays', 2);
  expect(await restRequests(await get(`${USAGE}stays`))).toBe(2);
  await store('stays');
  const hit = await get(`${USAGE}stays`);
  expect([await restRequests(hit), statusOf(hit)]).toEqual([2, expect.stringContaining('; hit; ttl=')]);

  const { stdout } = await runCli('token', 'create', '--name', 'plain', '--data-dir', place.dataDir);
  const plain = await get(`${USAGE}stays`, { 'X-API-KEY': stdout.trim(), 'Cache-Control': 'no-cache' });
  expect(await restRequests(plain)).toBe(2);

  const fresh = await get(`${USAGE}stays`, { 'Cache-Control': 'no-cache' });
  expect([await restRequests(fresh), statusOf(fresh)]).toEqual([3, 'log-query; fwd=request; stored']);

  await store('stays');
  expect(await restRequests(await get(`${USAGE}stays`))).toBe(3);
  const purge = await fetch(`${service.url}/api/endpoints/usage.api-counts/cache`, { method: 'DELETE', headers: KEY });
  expect(purge.status).toBe(204);
  const after = await get(`${USAGE}stays`);
  expect([await restRequests(after), statusOf(after)]).toEqual([4, 'log-query; fwd=miss; stored']);
});

it('logs.all is never cached: the next call returns a new event', async () => {
  for (const count of [1, 2]) {
    await store('fresh');
    const answer = await get('/api/endpoints/query/logs.all?project=fresh');
    expect(((await answer.json()) as { result: unknown[] }).result).toHaveLength(count);
    expect([statusOf(answer), answer.headers.get('cache-control')]).toEqual(['log-query; fwd=bypass', 'no-store']);
  }
});

it('a client with the ETag gets 304 when a later run has equal rows', async () => {
  await store('known');
  const first = await get(`${USAGE}known`);
  const etag = first.headers.get('etag')!;
  const again = await get(`${USAGE}known`, { 'Cache-Control': 'no-cache', 'If-None-Match': etag });
  expect([again.status, await again.text(), statusOf(again)]).toEqual([304, '', 'log-query; fwd=request; stored']);
  await store('known');
  const changed = await get(`${USAGE}known`, { 'Cache-Control': 'no-cache', 'If-None-Match': etag });
  expect(changed.status).toBe(200);
});

it('200 equal calls share one run', async () => {
  await store('herd');
  const answers = await Promise.all(Array.from({ length: 200 }, () => get(`${USAGE}herd`)));
  const bodies = await Promise.all(answers.map((answer) => answer.text()));
  expect(new Set(bodies).size).toBe(1);
  const statuses = answers.map((answer) => statusOf(answer)!);
  expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
  expect(statuses.filter((status) => status === 'log-query; fwd=miss; stored')).toHaveLength(1);
});

it('ad-hoc results are cached separately from the saved query, and by their parameters', async () => {
  await store('adhoc-a', 3);
  await store('adhoc-b', 5);
  const count = async (project: string) => {
    const sql = encodeURIComponent('select count(*) as n from requests');
    const answer = await get(`${USAGE}${project}&sql=${sql}`);
    return ((await answer.json()) as { result: { n: number }[] }).result[0]!.n;
  };
  for (const round of ['run', 'cached']) {
    const saved = await restRequests(await get(`${USAGE}adhoc-a`));
    expect([round, await count('adhoc-a'), await count('adhoc-b'), saved]).toEqual([round, 3, 5, 3]);
  }
});

it('a failed run is reported and not cached', async () => {
  const bad = `${USAGE}x&sql=${encodeURIComponent('select nothing from requests')}`;
  for (const answer of [await get(bad), await get(bad)]) {
    expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual([
      400,
      'no-store',
      null,
    ]);
  }
});

it('cached results remain when the engine process dies', async () => {
  await store('outlives');
  expect(await restRequests(await get(`${USAGE}outlives`))).toBe(1);
  process.kill(childOf(service.child.pid!), 'SIGKILL');
  const hit = await get(`${USAGE}outlives`);
  expect([await restRequests(hit), statusOf(hit)]).toEqual([1, expect.stringContaining('; hit; ')]);
  const run = await get(`${USAGE}outlives`, { 'Cache-Control': 'no-cache' });
  expect([run.status, await restRequests(run)]).toEqual([200, 1]);
});

it('a result in use is refreshed in the background with new rows', async () => {
  await store('warm', 1);
  const target = '/api/endpoints/query/quick?project=warm';
  expect(await (await get(target)).text()).toBe('{"result":[{"n":1}]}');
  await store('warm', 1);
  let seen = '';
  for (let round = 0; round < 100 && seen !== '{"result":[{"n":2}]}'; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const answer = await get(target);
    seen = await answer.text();
    // A caller who polls never waits for a run.
    expect(statusOf(answer)).toContain('; hit; ');
  }
  expect(seen).toBe('{"result":[{"n":2}]}');
});

it('callers who disconnect during a run do not stop it for the others', async () => {
  await store('leaves');
  const request = `GET ${USAGE}leaves HTTP/1.1\r\nHost: t\r\nX-API-KEY: ${PROCESS_TOKEN}\r\n\r\n`;
  const sockets = Array.from({ length: 20 }, () =>
    connect(service.port, '127.0.0.1', function (this: { write(text: string): void }) {
      this.write(request);
    })
  );
  const staying = get(`${USAGE}leaves`);
  await new Promise((resolve) => setTimeout(resolve, 5));
  for (const socket of sockets) socket.destroy();
  expect(await restRequests(await staying)).toBe(1);
});

it('a restarted server has an empty cache', async () => {
  const before = await get(`${USAGE}stays`);
  expect(statusOf(before)).toContain('; hit; ');
  await service.stop('SIGINT');
  service = await startService(place, ENV);
  const after = await get(`${USAGE}stays`);
  expect([statusOf(after), await after.text()]).toEqual(['log-query; fwd=miss; stored', await before.text()]);
  expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
});

function childOf(pid: number): number {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  );
  expect(children).toHaveLength(1);
  return children[0]!;
}
