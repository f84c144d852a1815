/** @slow 10 */
import { gzipSync } from 'node:zlib';
import { tableFromIPC } from 'apache-arrow';
import buildServer from '../../support/processes/build-server';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  runCli,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';

const KEY = { 'X-API-KEY': PROCESS_TOKEN };
const NOW = Date.now();

let place: Place;
let service: ServiceProcess;

beforeAll(async () => {
  await buildServer();
  place = createPlace();
  service = await startService(place);
}, 180_000);
afterAll(async () => {
  await service.stop('SIGINT');
  place.remove();
});

const get = (target: string, headers: Record<string, string> = {}) =>
  fetch(service.url + target, { headers: { ...KEY, ...headers } });
// Answers are looked into freely: a wrong shape fails the expectation.
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- parsed JSON, whose shape the tests check
const json = async (answer: Response): Promise<any> => answer.json();

/** Newest first, a second apart. */
const EVENTS = ['/rest/v1/a', '/storage/v1/b', '/auth/v1/rest', '/other'].map((path, index) => ({
  id: `event-${index}`,
  timestamp: new Date(NOW - index * 1000).toISOString(),
  project: 'wxyz',
  event_message: `GET ${path}`,
  metadata: {
    request: { path, url: `https://wxyz.example${path}`, method: 'GET' },
    response: { status_code: index === 3 ? 500 : 200 },
  },
}));

it('events are stored once, however often they are sent', async () => {
  const body = gzipSync(EVENTS.map((event) => JSON.stringify(event)).join('\n'));
  const headers = { ...KEY, 'Content-Type': 'application/x-ndjson', 'Content-Encoding': 'gzip' };
  for (const duplicates of [0, 4]) {
    const answer = await fetch(`${service.url}/api/logs?source=edge_requests`, { method: 'POST', headers, body });
    expect(await json(answer)).toEqual({
      result: { accepted: 4, duplicates, rejected: 0, errors: [] },
      message: 'Logged!',
    });
  }
});

it('logs.all returns the newest events first, by name and by id', async () => {
  const { result: definition } = await json(await get('/api/endpoints/logs.all'));
  for (const q of ['logs.all', definition.id]) {
    const answer = await get(`/api/endpoints/query/${q}?project=wxyz`);
    const { result } = await json(answer);
    expect(result.map(({ id }: { id: string }) => id)).toEqual(['event-0', 'event-1', 'event-2', 'event-3']);
    expect(Object.keys(result[0])).toEqual(['id', 'timestamp', 'event_message', 'metadata']);
    expect(result[0].timestamp).toBe(NOW * 1000);
    expect(result[0].metadata[0].request[0].path).toBe('/rest/v1/a');
    expect(answer.headers.get('svc-endpoint-rows')).toBe('4');
  }
});

it('time bounds exclude the start and include the end', async () => {
  const at = (index: number) => encodeURIComponent(EVENTS[index]!.timestamp);
  const answer = await get(
    `/api/endpoints/query/logs.all?project=wxyz&iso_timestamp_start=${at(2)}&iso_timestamp_end=${at(0)}`
  );
  expect((await json(answer)).result.map(({ id }: { id: string }) => id)).toEqual(['event-0', 'event-1']);
});

it('another project has no rows', async () => {
  expect(await (await get('/api/endpoints/query/logs.all?project=other')).text()).toBe('{"result":[]}');
});

it('usage.api-counts counts each area that a path contains', async () => {
  const { result } = await json(await get('/api/endpoints/query/usage.api-counts?interval=daily&project=wxyz'));
  const sum = (name: string) => result.reduce((total: number, row: Record<string, number>) => total + row[name]!, 0);
  expect(['rest', 'storage', 'auth', 'realtime'].map((area) => sum(`total_${area}_requests`))).toEqual([2, 1, 1, 0]);
  expect(result[0].timestamp).toMatch(/^\d{4}-\d{2}-\d{2}T00:00:00$/);
});

it('ad-hoc SQL reads the sandbox tables, with the filters of the saved query', async () => {
  const sql =
    'select rs.status_code as status, count(*) as n from edge_logs cross join unnest(metadata) as m cross join unnest(m.response) as rs group by status order by status';
  const answer = await get(`/api/endpoints/query/logs.all?project=wxyz&sql=${encodeURIComponent(sql)}`);
  expect(await json(answer)).toEqual({
    result: [
      { status: 200, n: 3 },
      { status: 500, n: 1 },
    ],
  });
  const other = await get(
    `/api/endpoints/query/logs.all?project=zzz&sql=${encodeURIComponent('select count(*) as n from edge_logs')}`
  );
  expect(await json(other)).toEqual({ result: [{ n: 0 }] });
});

it('a source is refused with the same message as a name that does not exist', async () => {
  const refuse = async (table: string) => {
    const sql = encodeURIComponent(`select id from ${table}`);
    const answer = await get(`/api/endpoints/query/logs.all?project=wxyz&sql=${sql}`);
    expect(answer.status).toBe(400);
    const { error } = await json(answer);
    expect(error.code).toBe('sandbox_violation');
    return error.message.replace(table, '');
  };
  expect(await refuse('edge_requests')).toBe(await refuse('edge_requeste'));
});

it('every format is returned', async () => {
  const target = '/api/endpoints/query/logs.all?project=wxyz&sql=select+id+from+edge_logs+order+by+id+limit+2';
  const ndjson = await (await get(target, { Accept: 'application/x-ndjson' })).text();
  expect(ndjson).toBe('{"id":"event-0"}\n{"id":"event-1"}\n');
  const csv = await (await get(target, { Accept: 'text/csv' })).text();
  expect(csv).toBe('id\r\nevent-0\r\nevent-1\r\n');
  const arrow = await (await get(target, { Accept: 'application/vnd.apache.arrow.stream' })).arrayBuffer();
  expect(
    tableFromIPC(new Uint8Array(arrow))
      .toArray()
      .map((row) => row.toJSON())
  ).toEqual([{ id: 'event-0' }, { id: 'event-1' }]);
});

it('facts about the run are in the body on request', async () => {
  const { meta } = await json(await get('/api/endpoints/query/closed', { 'SVC-ENDPOINT-META': 'true' }));
  expect(meta).toMatchObject({
    columns: [{ name: 'id', type: 'STRING' }],
    rows: 1,
    truncated: false,
    redacted: false,
    revision: 1,
    cache: { status: 'bypass', age: 0 },
  });
});

it('a response says when the row limit has truncated the result', async () => {
  const { stdout } = await runCli('token', 'create', '--name', 'small', '--max-rows', '2', '--data-dir', place.dataDir);
  const answer = await get('/api/endpoints/query/logs.all?project=wxyz', { 'X-API-KEY': stdout.trim() });
  expect([answer.status, answer.headers.get('svc-endpoint-truncated'), (await json(answer)).result.length]).toEqual([
    200,
    'true',
    2,
  ]);
});

it('an editor can read the tables of the sandbox, and check a text without running it', async () => {
  const { result } = await json(await get('/api/endpoints/logs.all'));
  expect(result.tables.map(({ name }: { name: string }) => name)).toEqual([
    ...['edge_logs', 'postgres_logs', 'function_edge_logs', 'function_logs', 'auth_logs'],
    ...['realtime_logs', 'storage_logs', 'postgrest_logs', 'pgbouncer_logs'],
  ]);
  const validate = (sql: string) =>
    fetch(`${service.url}/api/endpoints/validate`, {
      method: 'POST',
      headers: { ...KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify({ endpoint: 'logs.all', sql }),
    });
  expect((await json(await validate('select id from edge_logs'))).result.fields).toEqual([
    { name: 'id', type: 'STRING' },
  ]);
  const refused = await json(await validate('select idd\nfrom edge_logs'));
  expect(refused.error.details).toMatchObject({ reason: 'unknown_column', position: { line: 1, column: 8 } });
});

it('tokens made, rotated and revoked by many commands at once are all stored, and apply within a second', async () => {
  const names = Array.from({ length: 6 }, (_, index) => `parallel-${index}`);
  const made = await Promise.all(
    names.map((name) => runCli('token', 'create', '--name', name, '--data-dir', place.dataDir))
  );
  expect(made.map(({ code }) => code)).toEqual(names.map(() => 0));
  const { stdout } = await runCli('token', 'list', '--json', '--data-dir', place.dataDir);
  const kept = (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
  for (const name of names) expect(kept).toContain(name);

  const token = made[0]!.stdout.trim();
  const status = async () => (await get('/api/endpoints', { 'X-API-KEY': token })).status;
  expect(await status()).toBe(200);
  await runCli('token', 'revoke', names[0]!, '--data-dir', place.dataDir);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(await status()).toBe(401);
}, 60_000);

it('the command line tool fails with a message and an exit code', async () => {
  expect((await runCli('token', 'revoke', 'unknown', '--data-dir', place.dataDir)).code).toBe(1);
  expect((await runCli('token', '--help')).stdout).toContain('rotate');
});

it('the log has no query string, key, query text or value', () => {
  expect(service.output()).toContain('"route":"/api/endpoints/query/{q}"');
  expect(service.output()).not.toMatch(/wxyz|select|event-\d|bootstrap-token|lqe_/i);
});
