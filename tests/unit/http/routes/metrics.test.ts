import { send } from '../../../support/fakes/connection';
import { failure, jsonResult } from '../../../support/fakes/engine';
import { BOOTSTRAP_TOKEN, createTestService, type TestService } from '../../../support/servers/in-memory';

const KEY = { 'X-API-KEY': BOOTSTRAP_TOKEN };
const CALL = '/api/endpoints/query/logs.all?project=a';

let service: TestService;
beforeEach(() => (service = createTestService()));
afterEach(() => service.close());

/** Samples by name and labels, as written. */
async function samples(): Promise<Map<string, number>> {
  const { text } = await send(service.server, '/metrics', { headers: KEY });
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)![0])]));
}

it('/metrics is Prometheus text, for tokens with the scope', async () => {
  const answer = await send(service.server, '/metrics', {
    headers: { Authorization: `Bearer ${service.createToken({ scopes: ['metrics:read'] })}`, Accept: 'text/plain' },
  });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  expect(answer.text).toContain('# TYPE logquery_http_requests_total counter\n');
  const other = await send(service.server, '/metrics', { headers: { 'X-API-KEY': service.createToken() } });
  expect(other.status).toBe(403);
});

it('/metrics counts responses and runs', async () => {
  service.engine.answers.run = (request) => jsonResult(request, [{ n: 1 }, { n: 2 }], { replaced: { ip: 3 } });
  await send(service.server, CALL, { headers: KEY });
  await send(service.server, `${CALL}&sql=select+1`, { headers: KEY });
  await send(service.server, '/health/live');
  const found = await samples();
  expect(found.get('logquery_http_requests_total{route="/api/endpoints/query/{q}",method="GET",code="200"}')).toBe(2);
  expect(found.get('logquery_http_request_duration_seconds_count{route="/health/live",method="GET"}')).toBe(1);
  for (const kind of ['saved', 'adhoc'])
    expect(found.get(`logquery_query_duration_seconds_count{endpoint="logs.all",kind="${kind}"}`)).toBe(1);
  expect(found.get('logquery_query_rows_sum{endpoint="logs.all",kind="adhoc"}')).toBe(2);
  expect(found.get('logquery_redactions_total{kind="ip"}')).toBe(6);
  expect(found.get('logquery_queries_running{lane="saved"}')).toBe(0);
  expect(found.get('logquery_engine_up')).toBe(1);
});

it('/metrics has no series of a saved query that was deleted', async () => {
  service.engine.answers.run = (request) => jsonResult(request, [{ n: 1 }]);
  const definitions = service.ctx.definitions;
  const [logs] = definitions.all.filter(({ name }) => name === 'logs.all');
  const other = { ...logs!, id: '7d1a9fd0-0000-4000-8000-0000000000aa', name: 'short.lived' };
  const named = async () => [...(await samples()).keys()].filter((series) => series.includes('endpoint="short.lived"'));
  definitions.amend({ changed: [other], removed: [] });
  for (const path of [CALL, CALL.replace('logs.all', 'short.lived')])
    expect((await send(service.server, path, { headers: KEY })).status).toBe(200);
  expect((await named()).join()).toMatch(/query_rows_sum.*cache_requests_total|cache_requests_total.*query_rows_sum/);
  definitions.amend({ changed: [], removed: [other.id] });
  expect(await named()).toEqual([]);
  expect((await samples()).get('logquery_query_rows_count{endpoint="logs.all",kind="saved"}')).toBe(1);
});

it.each([
  ['PATCH', 'PATCH'],
  ['PUT', 'PUT'],
  ['PROPFIND', 'other'],
])('a request with %s is counted under the method %s', async (method, label) => {
  await send(service.server, '/health/live', { method });
  const counted = [...(await samples()).keys()].filter((name) => name.startsWith('logquery_http_requests_total'));
  expect(counted).toEqual([expect.stringContaining(`method="${label}"`)]);
});

it('/metrics has a zero for each kind of refusal before the first one', async () => {
  const found = await samples();
  for (const reason of ['missing', 'invalid', 'scope', 'wrong_keys'])
    expect(found.get(`logquery_auth_failures_total{reason="${reason}"}`)).toBe(0);
  for (const rule of ['table', 'statement', 'sql_syntax'])
    expect(found.get(`logquery_query_rejections_total{rule="${rule}"}`)).toBe(0);
});

it('/metrics counts refusals by their reason', async () => {
  const narrow = service.createToken({ scopes: ['ingest'] });
  await send(service.server, CALL);
  await send(service.server, CALL, { headers: { 'X-API-KEY': 'wrong' } });
  await send(service.server, CALL, { headers: { 'X-API-KEY': narrow } });
  for (const [code, details] of [
    ['sandbox_violation', { rule: 'table' }],
    ['sql_syntax', {}],
    ['query_timeout', {}],
    ['resource_limit', {}],
  ] as const) {
    service.engine.answers.run = failure(code, details);
    await send(service.server, `${CALL}&sql=select+1`, { headers: KEY });
  }
  const found = await samples();
  for (const reason of ['missing', 'invalid', 'scope'])
    expect(found.get(`logquery_auth_failures_total{reason="${reason}"}`)).toBe(1);
  for (const rule of ['table', 'sql_syntax', 'resource_limit'])
    expect(found.get(`logquery_query_rejections_total{rule="${rule}"}`)).toBe(1);
  expect(found.get('logquery_query_timeouts_total')).toBe(1);
});

it('/metrics counts log events by source and outcome', async () => {
  service.engine.answers.ingest = () => ({ accepted: 5, duplicates: 2, rejected: 1, errors: [] });
  const headers = { ...KEY, 'Content-Type': 'application/json' };
  await send(service.server, '/api/logs?source=cloudflare.logs.prod', { method: 'POST', headers, body: '{"a":1}' });
  const found = await samples();
  for (const [outcome, count] of [
    ['accepted', 3],
    ['duplicate', 2],
    ['rejected', 1],
  ])
    expect(found.get(`logquery_ingest_entries_total{source="edge_requests",outcome="${outcome}"}`)).toBe(count);
  expect(found.get('logquery_ingest_bytes_total')).toBe(7);
});

it('/metrics has no text of a caller, and does not grow with what callers send', async () => {
  const call = async (n: number) => {
    for (const method of ['GET', 'BREW', 'PURGE', 'MKCOL', 'LOCK'])
      await send(service.server, `/api/endpoints/query/typed-${n}?typed-${n}=typed&sql=typed`, {
        headers: KEY,
        method,
      });
    await send(service.server, `/typed/${n}`, { headers: KEY, method: 'LOCK' });
    await send(service.server, `/api/logs?source=typed-${n}`, { headers: KEY, method: 'POST' });
  };
  await call(1);
  const before = (await samples()).size;
  for (let n = 2; n < 8; n += 1) await call(n);
  const found = await samples();
  expect(found.size).toBe(before + [...found.keys()].filter((key) => key.includes('route="/metrics"')).length);
  expect([...found.keys()].join()).not.toContain('typed');
});
