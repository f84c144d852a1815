/** What the service says about its own calls and parts, and to whom. */
import type { Scope } from '#contract/tokens/token';
import { createManualClock } from '../../../support/fakes/clock';
import { LINEAR_MS } from '../../../support/jest/processor-time';
import { send } from '../../../support/fakes/connection';
import { failure, jsonResult } from '../../../support/fakes/engine';
import { BOOTSTRAP_TOKEN, createTestService, LOGS, type TestService, USAGE } from '../../../support/servers/in-memory';

const KEY = { 'X-API-KEY': BOOTSTRAP_TOKEN };
const LOGS_CALL = '/api/endpoints/query/logs.all?project=a';
const USAGE_CALL = '/api/endpoints/query/usage.api-counts?project=a&interval=hourly';

let service: TestService;
beforeEach(() => (service = createTestService()));
afterEach(() => service.close());

const get = (target: string, token = BOOTSTRAP_TOKEN) =>
  send(service.server, target, { headers: { 'X-API-KEY': token } });
const readCalls = async (token?: string) => (await get('/api/calls', token)).json().result as Record<string, unknown>[];
const tokenOf = (scopes: readonly Scope[], limits: object = {}) =>
  service.createToken({ scopes: [...scopes], ...limits });

describe('GET /api/calls', () => {
  it('counts calls, their failures, cached answers and ad-hoc calls', async () => {
    await get(USAGE_CALL);
    await get(USAGE_CALL);
    await get(`${LOGS_CALL}&sql=select+1`);
    service.engine.answers.run = failure('query_timeout');
    await get(LOGS_CALL);
    const [logs, usage] = await readCalls();
    expect(logs).toMatchObject({ id: LOGS.id, calls: 1, adhoc_calls: 1, failed: 1, cached: 0, cached_results: 0 });
    expect(usage).toMatchObject({
      name: USAGE.name,
      calls: 2,
      failed: 0,
      cached: 1,
      cached_results: 1,
      warm_results: 1,
    });
    expect(usage!['p95_ms']).toBeGreaterThan(0);
    expect(usage!['max_ms']).toBeGreaterThanOrEqual(usage!['p95_ms'] as number);
  });

  it('leaves out saved queries without calls, and those that the token does not see', async () => {
    expect(await readCalls()).toEqual([]);
    await get(USAGE_CALL);
    await get(LOGS_CALL);
    const narrow = tokenOf(['endpoints:read'], { endpoints: ['logs.all'] });
    expect((await readCalls(narrow)).map(({ name }) => name)).toEqual(['logs.all']);
  });

  it('counts no request that is refused before its saved query is known to the token', async () => {
    await get('/api/endpoints/query/nothing');
    await get(LOGS_CALL, tokenOf(['query'], { endpoints: ['closed'] }));
    await get('/api/endpoints/query/logs.all');
    expect(await readCalls()).toEqual([]);
  });

  it('of 10,000 saved queries names the 1,000 with the most calls', async () => {
    const idOf = (n: number) => `7d1a9fd0-0000-4000-8000-${String(n).padStart(12, '0')}`;
    service.close();
    service = createTestService({
      definitions: Array.from({ length: 10_000 }, (_, n) => ({ ...LOGS, id: idOf(n), name: `q${n}` })),
    });
    const call = { isAdhoc: false, tokenName: 't', outcome: null, rows: 1, status: 200, requestId: 'r', tokenId: 't' };
    for (let n = 0; n < 10_000; n++)
      for (let times = 0; times < (n >= 9000 ? 2 : 1); times++)
        service.ctx.activity.addCall({ ...call, endpointId: idOf(n), durationMs: n });
    expect((await readCalls()).map(({ name }) => name)).toEqual(Array.from({ length: 1000 }, (_, n) => `q${9000 + n}`));
    const before = process.cpuUsage();
    await readCalls();
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(LINEAR_MS);
  });

  it.each([
    ['a tenant', { tenant: 'acme' }],
    ['a fixed parameter', { fixed_parameters: { project: 'acme' } }],
  ])('is refused to a token with %s, since it counts the calls of all', async (_what, limits) => {
    const { status, text } = await get('/api/calls', tokenOf(['endpoints:read'], limits));
    expect([status, JSON.parse(text).error.code]).toEqual([403, 'tenant_denied']);
  });
});

describe('GET /api/status', () => {
  const slowest = async (token?: string) =>
    (await get('/api/status', token)).json().result.slowest_calls as Record<string, unknown>[];

  it('describes every part', async () => {
    service.engine.answers.sources = () => ({
      sources: [
        { name: 'edge_requests', columns: [], events: 7, bytes: 900, oldestMicros: 1, newestMicros: 2, days: null },
      ],
    });
    const answer = await get('/api/status');
    const { result } = answer.json();
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(result.readiness).toEqual({
      status: 'ok',
      checks: { service: 'ok', engine: 'ok', store: 'ok', tokens: 'ok' },
    });
    expect(result.store).toMatchObject({ kind: 'duckdb', is_answering: true, sources: 1, events: 7, bytes: 900 });
    expect(result.disk.free_bytes).toBeGreaterThan(0);
    expect(result.memory.service_bytes).toBeGreaterThan(1e7);
    expect(result.queues.queries.saved).toEqual({ running: 0, waiting: 0 });
    expect(answer.text).not.toContain(service.dataDir);
  });

  it('answers while the store does not', async () => {
    service.engine.answers.sources = failure('backend_unavailable');
    service.engine.answers.stats = failure('backend_unavailable');
    service.engine.isReady = false;
    const { status, text } = await get('/api/status');
    const { readiness, store } = JSON.parse(text).result;
    expect([status, readiness.status, readiness.checks.engine]).toEqual([200, 'unready', 'failed']);
    expect(store).toMatchObject({ is_answering: false, events: null, dead_letters: null });
  });

  it('lists the slowest calls without any text, value or row of them', async () => {
    service.engine.answers.run = (request) => jsonResult(request, [{ n: 'row-secret' }]);
    await get(`${LOGS_CALL}-secret&sql=${encodeURIComponent("select 'text-secret'")}`);
    const answer = await get('/api/status');
    expect(answer.text).not.toContain('secret');
    expect(answer.json().result.slowest_calls).toMatchObject([
      { endpoint: { id: LOGS.id, name: 'logs.all' }, kind: 'adhoc', rows: 1, status: 200, cached: false },
    ]);
  });

  it('names tokens to those who manage tokens only', async () => {
    await get(LOGS_CALL, tokenOf(['query'], { name: 'acme-dashboard' }));
    expect(await slowest(tokenOf(['metrics:read']))).toMatchObject([{ token: null }]);
    expect(await slowest()).toMatchObject([{ token: { name: 'acme-dashboard' } }]);
  });

  it.each([
    ['a tenant', { tenant: 'acme' }],
    ['a fixed parameter', { fixed_parameters: { interval: 'hourly' } }],
    ['a list of saved queries', { endpoints: ['logs.all'] }],
    ['forced redaction', { force_redaction: true }],
  ])('is refused to a token with %s', async (_what, limits) => {
    const { status, text } = await get('/api/status', tokenOf(['metrics:read'], limits));
    expect([status, JSON.parse(text).error.code]).toEqual([403, 'tenant_denied']);
  });
});

it('values that a field cannot hold are in GET /api/sources and in a metric', async () => {
  const none = (await get('/api/sources')).json().result[0];
  expect(none.misfits).toEqual({ values: 0, fields: [] });
  const misfits = { values: 7, fields: [{ field: 'request.port', type: 'INT64', values: 7 }] };
  service.engine.answers.misfits = () => ({ [none.name]: misfits });
  expect((await get('/api/sources')).json().result[0].misfits).toEqual(misfits);
  const counted = `logquery_ingest_misfits_total{source="${none.name}"} 7`;
  expect(await service.ctx.metrics.render()).toContain(counted);
  service.engine.answers.misfits = () => {
    throw new Error('the engine does not answer');
  };
  expect(await service.ctx.metrics.render()).toContain(counted);
});

it('the nested fields of a source and their maximum are in GET /api/sources and in metrics', async () => {
  const { name, nested_fields: unknown } = (await get('/api/sources')).json().result[0];
  expect(unknown).toBeNull();
  const use = { fields: 2500, max_fields: 5000, columns: 200, max_columns: 400 };
  const tenants = [{ tenant: 'acme', fields: 2500, columns: 200 }];
  service.engine.answers.fieldUse = () => ({ [name]: { ...use, tenants } });
  expect((await get('/api/sources')).json().result[0].nested_fields).toEqual({ ...use, tenants });
  const asked = service.engine.asked.length;
  const metrics = await service.ctx.metrics.render();
  for (const [metric, value] of Object.entries({
    logquery_source_fields: 2500,
    logquery_source_fields_max: 5000,
    logquery_source_columns: 200,
    logquery_source_columns_max: 400,
  }))
    expect(metrics).toContain(`${metric}{source="${name}"} ${value}\n`);
  expect(metrics).not.toContain('acme');
  expect(service.engine.asked.slice(asked).filter(({ kind }) => kind === 'fieldUse')).toHaveLength(1);
  service.engine.answers.fieldUse = () => {
    throw new Error('the engine does not answer');
  };
  expect(await service.ctx.metrics.render()).toContain(`logquery_source_fields{source="${name}"} 2500\n`);
});

it('GET /api/sources says what arrived in the last hour', async () => {
  service.close();
  service = createTestService({ clock: createManualClock() });
  service.engine.answers.ingest = () => ({ accepted: 3, duplicates: 1, rejected: 2, errors: [] });
  await send(service.server, '/api/logs?source=cloudflare.logs.prod', {
    method: 'POST',
    headers: { ...KEY, 'Content-Type': 'application/json' },
    body: '{"event_message":"x"}',
  });
  const [source] = (await get('/api/sources')).json().result;
  expect(source.dead_letters).toBeNull();
  expect(source.arrivals).toMatchObject({ duplicates: 1, rejected: 2 });
  expect(source.arrivals.stored_by_minute.at(-1)).toBe(2);
});

describe('GET /api/openapi.json?query=', () => {
  it('has the operation of this saved query alone', async () => {
    const { paths } = (await get('/api/openapi.json?query=logs.all')).json();
    expect(Object.keys(paths)).toEqual(['/api/endpoints/query/logs.all']);
    expect(paths['/api/endpoints/query/logs.all'].get.parameters[0].name).toBe('project');
  });

  it('needs a token that sees it', async () => {
    const narrow = tokenOf(['endpoints:read'], { endpoints: ['closed'] });
    const hidden = await get('/api/openapi.json?query=logs.all', narrow);
    expect([hidden.status, hidden.json().error.code]).toEqual([404, 'endpoint_not_found']);
    expect((await get('/api/openapi.json?query=logs.all', tokenOf(['query']))).status).toBe(403);
    expect((await send(service.server, '/api/openapi.json?query=logs.all')).status).toBe(401);
  });
});
