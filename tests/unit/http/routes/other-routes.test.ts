import { gzipSync } from 'node:zlib';
import { ROUTES } from '#contract/routes/routes';
import { type Scope, SCOPES } from '#contract/tokens/token';
import { savedQuerySchema } from '#contract/queries/saved-query';
import { codedServiceDocument, serviceDocument } from '#server/http/openapi/service-document';
import { send } from '../../../support/fakes/connection';
import { failure } from '../../../support/fakes/engine';
import { BOOTSTRAP_TOKEN, createTestService, LOGS, type TestService } from '../../../support/servers/in-memory';

const KEY = { 'X-API-KEY': BOOTSTRAP_TOKEN };

let service: TestService;
beforeEach(() => (service = createTestService()));
afterEach(() => service.close());

const get = (target: string, headers: Record<string, string> = {}) =>
  send(service.server, target, { headers: { ...KEY, ...headers } });

const postJson = (target: string, value: unknown) =>
  send(service.server, target, {
    method: 'POST',
    headers: { ...KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify(value),
  });

describe('every route', () => {
  it.each(ROUTES)('$path refuses other methods and lists its own', async ({ path }) => {
    const target = path.replace('{q}', 'logs.all');
    const refused = await send(service.server, target, { method: 'PROPFIND' });
    const options = await send(service.server, target, { method: 'OPTIONS' });
    expect([refused.status, refused.json().error.code]).toEqual([405, 'method_not_allowed']);
    expect([options.status, options.body.length, options.headers['allow']]).toEqual([204, 0, refused.headers['allow']]);
    const methods = ROUTES.filter((route) => route.path === path).flatMap((route): readonly string[] => route.methods);
    for (const method of methods) expect(refused.headers['allow']!.split(', ')).toContain(method);
  });

  it('OPTIONS of the server lists the methods of all paths, and other methods need a path', async () => {
    const options = await send(service.server, '*', { method: 'OPTIONS' });
    expect([options.status, options.body.length]).toEqual([204, 0]);
    const methods = ROUTES.flatMap((route): readonly string[] => route.methods);
    expect(options.headers['allow']!.split(', ').sort()).toEqual([...new Set([...methods, 'HEAD', 'OPTIONS'])].sort());
    expect((await send(service.server, '*')).status).toBe(404);
  });

  it.each(ROUTES.filter(({ scope }) => scope !== null && scope !== SCOPES))(
    '$id needs a token with its scope',
    async (route) => {
      const target = route.path.replace('{q}', 'logs.all');
      const method = route.methods[0];
      const accepted: readonly Scope[] = typeof route.scope === 'string' ? [route.scope] : (route.scope ?? []);
      const narrow = service.createToken({ scopes: SCOPES.filter((scope) => !accepted.includes(scope)) });
      expect((await send(service.server, target, { method })).status).toBe(401);
      expect((await send(service.server, target, { method, headers: { 'X-API-KEY': narrow } })).status).toBe(403);
    }
  );

  it('returns a valid X-Request-Id, and makes a new one otherwise', async () => {
    expect((await get('/health/live', { 'X-Request-Id': 'a.B-9_' })).headers['x-request-id']).toBe('a.B-9_');
    for (const bad of ['a b', 'x'.repeat(129), 'a\u00e9', ''])
      expect((await get('/health/live', { 'X-Request-Id': bad })).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('continues a valid trace and starts its own otherwise', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const continued = await get('/health/live', { traceparent: `00-${trace}-00f067aa0ba902b7-01` });
    expect(continued.headers['server-timing']).toBe(`trace;desc="${trace}"`);
    for (const bad of [
      `00-${trace}-0000000000000000-01`,
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `ff-${trace}-00f067aa0ba902b7-01`,
      'x',
    ])
      expect((await get('/health/live', { traceparent: bad })).headers['server-timing']).not.toContain(trace);
  });

  it('hides the text of an unexpected failure, and logs it completely', async () => {
    service.engine.answers.run = () => {
      throw new TypeError('secret inner words');
    };
    const answer = await get('/api/endpoints/query/logs.all?project=a');
    expect([answer.status, answer.json().error.code]).toEqual([500, 'internal']);
    expect(Object.keys(answer.json().error.details)).toEqual(['request_id']);
    expect(answer.text).not.toContain('secret');
    expect(service.logText()).toContain('secret inner words');
  });

  it('returns a refusal of the engine as a sentence, with the time to retry', async () => {
    service.engine.answers.run = failure('backend_unavailable', { retry_after_seconds: 7.2 });
    const answer = await get('/api/endpoints/query/logs.all?project=a');
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '8']);
    expect(answer.json().error.message).toBe('The engine refuses.');
  });

  it('shows why a saved query does not fit the sources as a sentence', async () => {
    service.engine.answers.describe = failure('definition_invalid');
    service.engine.answers.validate = failure('query_invalid');
    const answer = await get('/api/endpoints/logs.all');
    expect(answer.json().result.problem).toEqual({
      code: 'query_invalid',
      message: 'The engine refuses.',
      details: {},
    });
  });
});

describe('the token of the request', () => {
  it('is described with its limits, without its secret and the values of fixed parameters', async () => {
    const text = service.createToken({
      name: 'grafana',
      scopes: ['query'],
      endpoints: ['logs.all'],
      fixed_parameters: { project: 'secret-project' },
      max_rows: 10,
    });
    const answer = await send(service.server, '/api/token', { headers: { 'X-API-KEY': text } });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json().result).toMatchObject({
      name: 'grafana',
      scopes: ['query'],
      endpoints: ['logs.all'],
      fixed_parameters: ['project'],
      force_redaction: false,
      max_rows: 10,
      expires_at: null,
    });
    for (const hidden of [text, text.split('_')[1]!, 'hash']) expect(answer.text).not.toContain(hidden);
    expect(JSON.stringify(answer.json().result.fixed_parameters)).not.toContain('secret-project');
  });

  it.each(SCOPES)('is described for a token with the scope %s alone', async (scope) => {
    const token = service.createToken({ scopes: [scope] });
    const answer = await send(service.server, '/api/token', { headers: { 'X-API-KEY': token } });
    expect([answer.status, answer.json().result?.scopes]).toEqual([200, [scope]]);
  });

  it('is not described without a token', async () => {
    expect((await send(service.server, '/api/token')).status).toBe(401);
  });
});

describe('the list of saved queries', () => {
  it('has everything but the query texts, page by page', async () => {
    const first = (await get('/api/endpoints?limit=2')).json();
    expect(first.result.map(({ name }: { name: string }) => name)).toEqual(['closed', 'logs.all']);
    expect(first.result[1]).not.toHaveProperty('query');
    expect(first.result[1]).toMatchObject({ id: LOGS.id, revision: 7, sandbox: true });
    const second = (await get(`/api/endpoints?limit=2&cursor=${first.next_cursor}`)).json();
    expect(second.result.map(({ name }: { name: string }) => name)).toEqual(['usage.api-counts']);
    expect(second.next_cursor).toBeNull();
  });

  it('has only the queries that the token may see', async () => {
    const token = service.createToken({ endpoints: [LOGS.id.toUpperCase()] });
    const answer = await send(service.server, '/api/endpoints', { headers: { 'X-API-KEY': token } });
    expect(answer.json().result).toHaveLength(1);
  });
});

describe('reading a saved query', () => {
  it('returns its definition, fields and sandbox tables', async () => {
    const answer = await get('/api/endpoints/logs.all');
    expect(answer.json().result).toMatchObject({
      ...LOGS,
      fields: [{ name: 'n', type: 'INT64' }],
      tables: [{ name: 'edge_logs', columns: [{ name: 'id', type: 'STRING' }] }],
    });
  });

  it('answers 304 while nothing has changed, and 200 when it has new columns', async () => {
    const { etag } = (await get('/api/endpoints/logs.all')).headers as { etag: string };
    expect(etag).toMatch(/^W\/"7-[0-9a-f]{12}"$/);
    for (const known of [etag, `"x", ${etag}`, etag.replace('W/', ''), '*']) {
      const answer = await get('/api/endpoints/logs.all', { 'If-None-Match': known });
      expect([answer.status, answer.body.length, answer.headers['etag']]).toEqual([304, 0, etag]);
    }
    service.engine.answers.describe = () => ({ fields: [], tables: [] });
    expect((await get('/api/endpoints/logs.all', { 'If-None-Match': etag })).status).toBe(200);
  });

  it('answers 404 for a query that the token may not see', async () => {
    const token = service.createToken({ endpoints: ['closed'] });
    const answer = await send(service.server, '/api/endpoints/logs.all', { headers: { 'X-API-KEY': token } });
    expect([answer.status, answer.json().error.code]).toEqual([404, 'endpoint_not_found']);
  });
});

describe('validation', () => {
  it('checks ad-hoc text without requiring its parameters', async () => {
    const answer = await postJson('/api/endpoints/validate', {
      endpoint: 'logs.all',
      sql: 'select 1',
      parameters: { project: 5 },
    });
    expect([answer.status, answer.json().result.canonical]).toEqual([200, 'SELECT 1']);
    expect(service.engine.asked.at(-1)).toMatchObject({
      kind: 'validate',
      request: {
        kind: 'adhoc',
        endpointId: LOGS.id,
        adhoc: { language: 'sql', text: 'select 1' },
        parameters: { project: '5', iso_timestamp_end: null },
      },
    });
  });

  it.each([
    ['/api/endpoints/validate', { endpoint: 'logs.all', sql: 'select 1' }],
    ['/api/endpoints/preview', { definition: { name: 'new', query: 'select 1 as n' } }],
  ])('%s lists ignored parameters', async (path, body) => {
    const answer = await postJson(path, { ...body, parameters: { projekt: 'a' } });
    expect([answer.status, answer.headers['svc-endpoint-ignored-parameters']]).toEqual([200, 'projekt']);
  });

  it('lists ignored parameters for an invalid text, too', async () => {
    service.engine.answers.validate = failure('query_invalid', { position: { line: 1, column: 8 } });
    const body = { endpoint: 'logs.all', sql: 'select x', parameters: { projekt: 'a' } };
    const answer = await postJson('/api/endpoints/validate', body);
    expect([answer.status, answer.headers['svc-endpoint-ignored-parameters']]).toEqual([400, 'projekt']);
  });

  it('checks LQL', async () => {
    const answer = await postJson('/api/endpoints/validate', { endpoint: 'logs.all', lql: 'm.level:error' });
    expect(answer.status).toBe(200);
    expect(service.engine.asked.at(-1)?.request).toMatchObject({ adhoc: { language: 'lql', text: 'm.level:error' } });
  });

  it.each([{ endpoint: 'logs.all', sql: 'select 1', lql: 'x' }, { endpoint: 'logs.all' }])(
    'accepts exactly one text: %j',
    async (body) => {
      const answer = await postJson('/api/endpoints/validate', body);
      expect([answer.status, answer.json().error.code]).toEqual([400, 'body_invalid']);
    }
  );

  it.each([
    ['without an id', {}],
    ['as GET returns it', { id: LOGS.id, revision: 7, origin: 'api', fields: [], tables: [] }],
  ])('checks a definition %s, with all defaults filled in', async (_, assigned) => {
    const definition = { name: 'new', query: 'select 1 as n' };
    expect((await postJson('/api/endpoints/validate', { definition: { ...definition, ...assigned } })).status).toBe(
      200
    );
    expect(service.engine.asked.at(-1)?.request).toEqual({
      kind: 'definition',
      definition: savedQuerySchema.parse({ ...definition, id: '00000000-0000-4000-8000-000000000000' }),
      tenant: null,
      redact: false,
    });
  });

  it('reports all problems of a definition', async () => {
    const definition = { id: LOGS.id, name: 'new', qeury: 'x', parameters: [{ name: 'sql' }], max_rows: 0 };
    const { error } = (await postJson('/api/endpoints/validate', { definition })).json();
    const problems = error.details.problems.map(
      ({ path, reason }: { path: string[]; reason: string }) => `${path.join('.')}: ${reason}`
    );
    expect(problems.join('\n')).toMatch(/qeury: unknown key "qeury" — did you mean "query"\?/);
    expect(problems.join('\n')).toMatch(/max_rows: /);
  });

  it('checks the text of a definition, with positions in the text', async () => {
    const valid = await postJson('/api/endpoints/validate', { yaml: 'name: new\nquery: select 1 as n' });
    expect(valid.status).toBe(200);
    expect(service.engine.asked.at(-1)?.request).toMatchObject({ kind: 'definition', definition: { name: 'new' } });
    const { error } = (await postJson('/api/endpoints/validate', { yaml: 'name: new\nquery: q\nmax_rows: 0' })).json();
    expect([error.code, error.details.problems[0].position]).toEqual(['definition_invalid', { line: 3, column: 11 }]);
  });

  it.each([
    ['anchors', `a: &a [x, x]\n${Array.from({ length: 9 }, (_, n) => `b${n}: &b${n} [*a, *a]`).join('\n')}`],
    ['too many values', `parameters: [${'x, '.repeat(1700)}x]`],
    ['deep nesting', '['.repeat(20_000)],
    ['a tag', 'name: !!js/function "x"'],
  ])('refuses a text with %s', async (_, yaml) => {
    const answer = await postJson('/api/endpoints/validate', { yaml });
    expect([answer.status, answer.json().error.code]).toEqual([422, 'definition_invalid']);
  });
});

describe('ingest', () => {
  const ingest = (body: string | Uint8Array, headers: Record<string, string> = {}, source = 'edge_requests') =>
    send(service.server, `/api/logs?source=${source}`, { method: 'POST', headers: { ...KEY, ...headers }, body });

  it('passes the bytes on and reports the result', async () => {
    const answer = await ingest('{"event_message":"x"}\n', { 'Content-Type': 'application/x-ndjson' });
    expect(answer.json()).toEqual({
      result: { accepted: 1, duplicates: 0, rejected: 0, errors: [] },
      message: 'Logged!',
    });
    const { request, options } = service.engine.asked[0]!;
    expect(request).toMatchObject({ source: 'edge_requests' });
    expect(Buffer.from(options.body!).toString()).toBe('{"event_message":"x"}\n');
    expect(options.signal).toBeUndefined();
  });

  it('accepts gzip, and sources by their alias', async () => {
    expect((await ingest(gzipSync('{}'), { 'Content-Encoding': 'gzip' }, 'cloudflare.logs.prod')).status).toBe(200);
    expect(service.engine.asked[0]).toMatchObject({ request: { source: 'edge_requests' } });
    expect(Buffer.from(service.engine.asked[0]!.options.body!).toString()).toBe('{}');
  });

  it('explains how to send JSON with curl', async () => {
    const answer = await ingest('{}', { 'Content-Type': 'application/x-www-form-urlencoded' });
    expect(answer.json().error.details.hint).toContain('Content-Type: application/json');
  });

  it('releases its permit after a failure', async () => {
    service.engine.answers.ingest = failure('backend_unavailable');
    expect((await ingest('{}')).status).toBe(503);
    expect(service.ctx.ingestPermits.running).toBe(0);
  });
});

describe('probes', () => {
  it('answer ok while all is well, without a token', async () => {
    for (const target of ['/health/live', '/health/ready'])
      expect((await send(service.server, target)).json()).toEqual({ status: 'ok' });
  });

  it('name the check that fails', async () => {
    service.engine.isReady = false;
    const answer = await send(service.server, '/health/ready');
    expect([answer.status, answer.json()]).toEqual([
      503,
      { status: 'unready', checks: { service: 'ok', engine: 'failed', store: 'failed', tokens: 'ok' } },
    ]);
    expect((await send(service.server, '/health/live')).status).toBe(200);
  });

  it('have the reason of the store', async () => {
    const reason = 'The data folder was replaced.';
    service.engine.answers.status = () => ({ empty: false, ok: false, reason, running: 0, rssBytes: 0 });
    expect((await send(service.server, '/health/ready')).json()).toMatchObject({
      checks: { store: 'failed' },
      store: { reason },
    });
  });

  it('answer ok during a short restart of the engine, without asking the store', async () => {
    service.engine.isRestarting = true;
    service.engine.answers.status = () => new Promise(() => undefined);
    expect((await send(service.server, '/health/ready')).status).toBe(200);
    expect(service.engine.asked.filter(({ kind }) => kind === 'status')).toEqual([]);
  });

  it('answer "draining" during shutdown, while calls are still accepted and after', async () => {
    service.ctx.lifecycle.startDraining();
    expect((await send(service.server, '/health/ready')).json().checks.service).toBe('draining');
    expect((await get('/api/endpoints/query/logs.all?project=a')).status).toBe(200);
    service.ctx.lifecycle.startClosing();
    const refused = await get('/api/endpoints/query/logs.all?project=a');
    expect([refused.status, refused.json().error.code, refused.headers['retry-after']]).toEqual([503, 'draining', '5']);
  });
});

describe('the OpenAPI document', () => {
  it('lists the routes for everyone, and saved queries for tokens that may read them', async () => {
    const open = (await send(service.server, '/api/openapi.json')).json();
    expect(open.openapi).toBe('3.1.0');
    expect(Object.keys(open.paths).sort()).toEqual([...new Set(ROUTES.map((route) => route.path))].sort());
    expect(JSON.stringify(open)).not.toContain('logs.all');

    const keyed = (await get('/api/openapi.json')).json();
    const { get: operation } = keyed.paths['/api/endpoints/query/usage.api-counts'];
    expect(operation.parameters).toContainEqual(
      expect.objectContaining({
        name: 'interval',
        required: true,
        schema: { type: 'string', enum: ['minutely', 'hourly', 'daily'] },
      })
    );
    const { schema } = operation.responses['200'].content['application/json'];
    expect(schema.properties.result.items.properties).toEqual({
      n: expect.objectContaining({ type: ['integer', 'string', 'null'] }),
    });
  });

  it('without saved queries is the same memory for all callers, in each content coding', async () => {
    const plain = await send(service.server, '/api/openapi.json');
    expect(plain.body.equals(serviceDocument())).toBe(true);
    expect(serviceDocument()).toBe(serviceDocument());
    for (const coding of ['gzip', 'br'] as const) {
      const coded = await send(service.server, '/api/openapi.json', { headers: { 'Accept-Encoding': coding } });
      expect([coded.headers['content-encoding'], coded.text]).toEqual([coding, plain.text]);
      expect(await codedServiceDocument(coding)).toBe(await codedServiceDocument(coding));
    }
    const blind = service.createToken({ scopes: ['query'] });
    expect((await get('/api/openapi.json', { 'X-API-KEY': blind })).text).toBe(plain.text);
  });

  it('has POST of a saved query, with a text and rows of any form where there is a sandbox', async () => {
    const { post } = (await get('/api/openapi.json')).json().paths['/api/endpoints/query/usage.api-counts'];
    const { properties } = post.requestBody.content['application/json'].schema;
    expect(Object.keys(properties)).toEqual(['params', 'sql', 'lql']);
    expect(properties.params.required).toEqual(['interval', 'project']);
    const { schema } = post.responses['200'].content['application/json'];
    expect(schema.properties.result.items).toEqual({ type: 'object', additionalProperties: true });
  });

  it('has no broken reference and no operation twice', async () => {
    const document = (await get('/api/openapi.json')).json();
    const text = JSON.stringify(document);
    for (const [, pointer] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = pointer!.split('/').reduce((node, part) => node?.[part], document);
      expect([pointer, typeof target]).toEqual([pointer, 'object']);
    }
    const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it.each(['/api/endpoints', '/api/tokens', '/api/audit', '/api/openapi.json'])(
  '%s names parameters that it does not know',
  async (path) => {
    const response = await get(`${path}?state=active&limit=1&filter[a]=x`);
    expect(response.status).toBe(200);
    expect(response.headers['svc-endpoint-ignored-parameters']).toMatch(/^state, (limit, )?filter\[a\]$/);
  }
);
