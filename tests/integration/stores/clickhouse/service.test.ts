/** The built server with LQE_STORE=clickhouse: events in over HTTP, both saved queries and ad-hoc text out. */
import buildServer from '../../../support/processes/build-server';
import { type ClickHouseEngine, startClickHouseEngine } from '../../../support/processes/clickhouse';
import { apiOf } from '../../../support/servers/api';
import { clickHouseSettings } from '../../../support/servers/clickhouse-store';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  runCliWith,
  runServer,
  type ServiceProcess,
  startService,
} from '../../../support/servers/spawned';

jest.setTimeout(60_000);

let engine: ClickHouseEngine;
let place: Place;
let service: ServiceProcess;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  await buildServer();
  engine = await startClickHouseEngine();
  place = createPlace();
  env = clickHouseSettings(engine);
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await engine.stop();
  place.remove();
});

async function call(path: string, init: RequestInit = {}): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${service.url}${path}`, { ...init, headers: { 'X-API-KEY': PROCESS_TOKEN } });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const query = (name: string, parameters: Record<string, string>) =>
  call(`/api/endpoints/query/${name}?${new URLSearchParams(parameters).toString()}`);

it('the service does not start without its tables, and says what to do', async () => {
  const { code, output } = await runServer(place, env);
  expect([code, output]).toEqual([1, expect.stringContaining('ClickHouse has no database lqe')]);
  expect(output).not.toContain('write');
});

it('the service answers saved queries and ad-hoc text over the events that were sent', async () => {
  const made = await runCliWith(env, 'store', 'init', '--yes');
  expect(made.code).toBe(0);
  service = await startService(place, env);
  const now = Date.now();
  const events = ['/rest/v1/todos', '/rest/v1/users', '/auth/v1/token', '/storage/v1/object'].map((path, n) => ({
    id: `e${n}`,
    timestamp: new Date(now - 60_000 * n).toISOString(),
    event_message: `GET ${path}`,
    project: 'p1',
    identifier: 'p1',
    metadata: [
      { request: [{ method: 'GET', path, url: `https://p1.example.co${path}` }], response: [{ status_code: 200 + n }] },
    ],
  }));
  const sent = await call('/api/logs?source=edge_requests', { method: 'POST', body: JSON.stringify(events) });
  expect(sent).toMatchObject({ status: 200, body: { result: { accepted: 4, duplicates: 0, rejected: 0 } } });
  expect(await call('/api/logs?source=edge_requests', { method: 'POST', body: JSON.stringify(events) })).toMatchObject({
    body: { result: { accepted: 4, duplicates: 4 } },
  });

  const logs = await query('logs.all', { project: 'p1' });
  const rows = logs.body.result as { id: string; timestamp: number; metadata: unknown }[];
  expect([logs.status, rows.map(({ id }) => id)]).toEqual([200, ['e0', 'e1', 'e2', 'e3']]);
  expect(rows[0]!.timestamp).toBe(now * 1000);
  expect(rows[0]!.metadata).toEqual(events[0]!.metadata);

  const usage = await query('usage.api-counts', { project: 'p1', interval: 'daily' });
  const sums = (usage.body.result as Record<string, number>[]).reduce(
    (total, row) => [
      total[0]! + row.total_rest_requests!,
      total[1]! + row.total_auth_requests!,
      total[2]! + row.total_storage_requests!,
    ],
    [0, 0, 0]
  );
  expect([usage.status, sums]).toEqual([200, [2, 1, 1]]);

  const adhoc = await query('logs.all', {
    project: 'p1',
    sql: 'select rs.status_code, count(*) as n from edge_logs as t cross join unnest(t.metadata) as m cross join unnest(m.response) as rs where rs.status_code >= 202 group by status_code order by status_code',
  });
  expect(adhoc).toMatchObject({
    status: 200,
    body: {
      result: [
        { status_code: 202, n: 1 },
        { status_code: 203, n: 1 },
      ],
    },
  });
});

it('a source that is created over HTTP gets its table, and a changed one its columns and retention', async () => {
  const api = apiOf(service);
  const created = await api('POST', '/sources', { definition: { name: 'app', fields: { ms: 'FLOAT64' } } });
  expect([created.status, created.body?.result]).toMatchObject([201, { name: 'app', origin: 'api', revision: 1 }]);
  expect((await api('POST', '/logs?source=app', { message: 'one', ms: 1.5, user: 7 })).status).toBe(200);
  const patch = { retention_days: 7, fields: { user: 'INT64' } };
  const headers = { 'Content-Type': 'application/merge-patch+json', 'If-Match': '"1"' };
  expect((await api('PATCH', '/sources/app', patch, headers)).status).toBe(200);
  expect((await api('POST', '/logs?source=app', { message: 'two', ms: 2, user: 8 })).status).toBe(200);
  const definition = {
    name: 'tried',
    query: 'SELECT SUM(m.ms) AS ms, SUM(m.user) AS users FROM app AS t LEFT JOIN UNNEST(t.metadata) AS m',
  };
  expect((await api('POST', '/endpoints/preview', { definition })).body.result).toEqual([{ ms: 3.5, users: 15 }]);
  await engine.query(
    "INSERT INTO lqe.lqe_dead_letters (source, received_at, reason, id, row) VALUES ('app', now(), '27', 'a', '{}')"
  );
  const erased = await api('DELETE', '/sources/app?events=delete', undefined, { 'If-Match': '"2"' });
  expect(erased.status).toBe(204);
  expect(await engine.query("SELECT count() FROM lqe.lqe_fields WHERE source LIKE 'app%'")).toEqual([[0]]);
  expect(await engine.query("SELECT count() FROM lqe.lqe_dead_letters WHERE source = 'app'")).toEqual([[0]]);
  // Without events, the fields have any type.
  const again = await api('POST', '/sources', {
    definition: { name: 'app', fields: { ms: 'INT64', user: 'FLOAT64' } },
  });
  expect(again.status).toBe(201);
  expect((await api('POST', '/logs?source=app', { message: 'three', ms: 3, user: 0.5 })).status).toBe(200);
  expect((await api('POST', '/endpoints/preview', { definition })).body.result).toEqual([{ ms: 3, users: 0.5 }]);
  const checked = await runCliWith(env, 'store', 'check', '--data-dir', place.dataDir);
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('ready')]);
}, 60_000);

it('a source has fields and columns with other types after its events are deleted', async () => {
  const api = apiOf(service);
  const definition = (shop: string, ms: string) => ({ name: 'retyped', columns: { shop }, fields: { ms } });
  const create = (shop: string, ms: string) => api('POST', '/sources', { definition: definition(shop, ms) });
  expect((await create('INT64', 'INT64')).status).toBe(201);
  expect((await api('POST', '/logs?source=retyped', { shop: 1, ms: 2, user: 3 })).status).toBe(200);
  const headers = { 'If-Match': '*' };
  // Its events would be refused one by one.
  const patch = { ...headers, 'Content-Type': 'application/merge-patch+json' };
  const refused = await api('PATCH', '/sources/retyped', { columns: { shop: 'STRING' } }, patch);
  expect([refused.status, refused.body.error.code]).toEqual([422, 'definition_invalid']);
  expect((await api('DELETE', '/sources/retyped?events=delete', undefined, headers)).status).toBe(204);
  expect((await create('STRING', 'STRING')).status).toBe(201);
  const sent = await api('POST', '/logs?source=retyped', { shop: 'four', ms: 'two', user: 'three' });
  expect(sent.body.result).toMatchObject({ accepted: 1, rejected: 0 });
  const query = 'SELECT t.shop AS shop, m.ms AS ms, m.user AS user FROM retyped AS t LEFT JOIN UNNEST(t.metadata) AS m';
  const tried = await api('POST', '/endpoints/preview', { definition: { name: 'tried', query } });
  expect(tried.body.result).toEqual([{ shop: 'four', ms: 'two', user: 'three' }]);
}, 60_000);

it('a lower retention that is refused deletes no event', async () => {
  const api = apiOf(service);
  await api('POST', '/sources', { definition: { name: 'kept', columns: { shop: 'STRING' } } });
  const definition = { name: 'kept.shops', query: 'SELECT t.shop AS shop FROM kept AS t' };
  expect((await api('POST', '/endpoints', { definition })).status).toBe(201);
  const timestamp = new Date(Date.now() - 30 * 86_400_000).toISOString();
  expect((await api('POST', '/logs?source=kept', { timestamp, shop: 'a' })).body.result).toMatchObject({ accepted: 1 });
  const headers = { 'Content-Type': 'application/merge-patch+json', 'If-Match': '"1"' };
  const refused = await api('PATCH', '/sources/kept', { retention_days: 7, columns: null }, headers);
  expect([refused.status, refused.body.error.code]).toEqual([409, 'source_in_use']);
  const keptDays = async (): Promise<unknown> => {
    const [[statement] = []] = await engine.query('SHOW CREATE TABLE lqe.kept');
    return /toIntervalDay\((\d+)\)/.exec(String(statement))?.[1];
  };
  expect(await keptDays()).toBe('90');
  expect(await query('kept.shops', {})).toMatchObject({ body: { result: [{ shop: 'a' }] } });
  expect((await api('PATCH', '/sources/kept', { retention_days: 7 }, headers)).status).toBe(200);
  expect(await keptDays()).toBe('7');
}, 60_000);

it('a source whose table may not be created is refused, and says which right is missing', async () => {
  await engine.setRules([
    { match: 'CREATE TABLE', times: 1, then: { code: 497, message: 'Not enough privileges. GRANT CREATE TABLE' } },
  ]);
  const { status, body } = await apiOf(service)('POST', '/sources', { definition: { name: 'denied' } });
  await engine.setRules([]);
  expect([status, body.error]).toMatchObject([
    503,
    { code: 'backend_unavailable', details: { reason: 'schema', hint: expect.stringContaining('CREATE TABLE') } },
  ]);
  expect((await apiOf(service)('GET', '/sources/denied')).status).toBe(404);
});

it('an operator can read the events that ClickHouse refused', async () => {
  await engine.setRules([
    { match: 'INSERT INTO `edge_requests`', times: 1, then: { code: 27, message: 'Cannot parse input' } },
  ]);
  const batch = { method: 'POST', body: '{"id":"refused","project":"acme"}' };
  expect(await call('/api/logs?source=edge_requests', batch)).toMatchObject({ body: { result: { rejected: 1 } } });
  await engine.setRules([]);
  const answer = await fetch(`${service.url}/metrics`, { headers: { 'X-API-KEY': PROCESS_TOKEN } });
  const text = await answer.text();
  expect(text).toContain('logquery_store_dead_letters{source="edge_requests"} 1');
  expect(text).toContain('logquery_store_up 1');
});

it('the service reports that the store is unavailable, and serves again when it is back', async () => {
  await engine.kill();
  expect(await query('logs.all', { project: 'p2' })).toMatchObject({
    status: 503,
    body: { error: { code: 'backend_unavailable' } },
  });
  const batch = { method: 'POST', body: '{"id":"late","project":"acme"}' };
  expect((await call('/api/logs?source=edge_requests', batch)).status).toBe(503);
  await engine.restart();
  expect((await query('logs.all', { project: 'p1' })).status).toBe(200);
  expect(await call('/api/logs?source=edge_requests', batch)).toMatchObject({
    status: 200,
    body: { result: { duplicates: 0 } },
  });
});
