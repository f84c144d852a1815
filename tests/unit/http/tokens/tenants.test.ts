/**
 * The tenant of each request to the engine, and the routes that a token of a tenant may not use.
 *
 * @slow 10
 */
import { ROUTES } from '#contract/routes/routes';
import { type SavedQuery, savedQuerySchema } from '#contract/queries/saved-query';
import type { TokenPolicy } from '#contract/tokens/token';
import { SCOPES } from '#contract/tokens/token';
import { send } from '../../../support/fakes/connection';
import { createTestService, LOGS, type TestService, USAGE } from '../../../support/servers/in-memory';

const TENANT_LOGS: SavedQuery = savedQuerySchema.parse({
  ...LOGS,
  cache_seconds: 60,
  parameters: [
    { name: 'project', required: true, tenant: true },
    { name: 'note', default: 'none' },
  ],
});
const PLAIN = savedQuerySchema.parse({ id: '7d1a9fd0-0000-4000-8000-000000000009', name: 'plain', query: 'select 1' });

let service: TestService;
beforeEach(() => (service = createTestService({ definitions: [TENANT_LOGS, USAGE, PLAIN] })));
afterEach(() => service.close());

const token = (policy: Partial<TokenPolicy>) => service.createToken({ scopes: [...SCOPES], ...policy });
const get = (key: string, target: string, method = 'GET') =>
  send(service.server, target, { method, headers: { 'X-API-KEY': key } });
const post = (key: string, target: string, body: object) =>
  send(service.server, target, {
    method: 'POST',
    headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
const tenants = () =>
  service.engine.asked.flatMap(({ request }) =>
    typeof request === 'object' && request !== null && 'tenant' in request ? [request.tenant] : []
  );
const CALL = '/api/endpoints/query';

it.each([
  ['a tenant', { tenant: 'acme' }, 'tenant_denied'],
  ['a list of saved queries', { endpoints: ['logs.all'] }, 'scope_missing'],
  ['a fixed parameter', { fixed_parameters: { note: 'x' } }, 'scope_missing'],
  ['forced redaction', { force_redaction: true }, 'scope_missing'],
])('a token with %s learns no source by checks of definitions', async (_what, policy, code) => {
  const key = token({ ...policy, scopes: ['endpoints:read'] });
  const definition = { id: LOGS.id, name: 'x', query: 'select * from edge_requests' };
  for (const body of [{ definition }, { yaml: JSON.stringify(definition) }]) {
    const answer = await post(key, '/api/endpoints/validate', body);
    expect([answer.status, answer.json().error.code]).toEqual([403, code]);
  }
  expect(service.engine.asked.filter(({ kind }) => kind === 'validate')).toEqual([]);
});

describe.each([
  ['a tenant of its own', { tenant: 'acme' }],
  ['a fixed parameter that names a tenant', { fixed_parameters: { project: 'acme' } }],
])('a token with %s', (_what, policy) => {
  it('reads only its tenant on every route', async () => {
    const key = token(policy);
    const answers = [
      await get(key, `${CALL}/logs.all`),
      await get(key, `${CALL}/logs.all?sql=select%201`),
      await get(key, `${CALL}/usage.api-counts?interval=daily&project=acme`),
      await post(key, '/api/endpoints/validate', { endpoint: 'logs.all', sql: 'select 1' }),
      await get(key, '/api/endpoints/logs.all'),
      await get(key, '/api/openapi.json'),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(tenants()).toHaveLength(5 + 3);
    expect(new Set(tenants())).toEqual(new Set(['acme']));
  });

  it.each(['', '?project=', '?project=acme'])('calls a query with its own tenant only: %j', async (text) => {
    const key = token(policy);
    expect((await get(key, `${CALL}/logs.all${text}`)).status).toBe(200);
    expect(service.engine.asked.at(-1)?.request).toMatchObject({ parameters: { project: 'acme', note: 'none' } });
  });

  it('is refused another tenant, in the URL, in the body and in checks', async () => {
    const key = token(policy);
    for (const answer of [
      await get(key, `${CALL}/logs.all?project=victim`),
      await get(key, `${CALL}/logs.all?project=ACME`),
      await get(key, `${CALL}/logs.all?project=acme%20`),
      await post(key, `${CALL}/logs.all`, { params: { project: 'victim' } }),
      await post(key, '/api/endpoints/validate', { endpoint: 'logs.all', sql: 'x', parameters: { project: 'victim' } }),
    ]) {
      expect([answer.status, answer.json().error.code]).toEqual([403, 'parameter_locked']);
      expect(answer.text).not.toContain('acme');
    }
    expect(tenants()).toEqual([]);
  });

  it('cannot read metrics or purge the cache, which belong to all tenants', async () => {
    const key = token(policy);
    const metrics = await get(key, '/metrics');
    expect([metrics.status, metrics.json().error.code]).toEqual([403, 'tenant_denied']);
    const purge = await get(key, '/api/endpoints/plain/cache', 'DELETE');
    expect([purge.status, purge.json().error.code]).toEqual([403, 'scope_missing']);
  });

  it('shares no cached result with another tenant', async () => {
    service.engine.answers.run = (request) => ({
      ...({ format: 'json', fields: [], rows: 0, truncated: false, redacted: false, revision: 1 } as const),
      bytes: Buffer.from(`{"result":[{"of":"${request.tenant ?? 'all'}"}]}`),
      timings: { queueMs: 0, planMs: 0, dbMs: 0, redactMs: 0, encodeMs: 0 },
    });
    const target = `${CALL}/logs.all?project=acme`;
    const all = await get(token({}), target);
    const own = await get(token(policy), target);
    expect([all.text, own.text]).toEqual(['{"result":[{"of":"all"}]}', '{"result":[{"of":"acme"}]}']);
    expect(own.headers['etag']).not.toBe(all.headers['etag']);
    const again = await send(service.server, target, {
      headers: { 'X-API-KEY': token(policy), 'If-None-Match': all.headers['etag']! },
    });
    expect([again.status, again.text]).toEqual([200, own.text]);
  });
});

it('a token of a tenant may use any value of a parameter that is not a tenant', async () => {
  const key = token({ tenant: 'acme' });
  expect((await get(key, `${CALL}/usage.api-counts?interval=daily&project=.*`)).status).toBe(200);
  expect(service.engine.asked.at(-1)?.request).toMatchObject({ tenant: 'acme', parameters: { project: '.*' } });
});

it('a token without a tenant reads all tenants', async () => {
  expect(
    (await get(token({ fixed_parameters: { interval: 'daily' } }), `${CALL}/usage.api-counts?project=a`)).status
  ).toBe(200);
  expect(tenants()).toEqual([null]);
});

it.each(ROUTES.filter(({ scope, id }) => scope !== null || id === 'openapi'))(
  'a token with two tenants is refused by $id',
  async (route) => {
    const key = token({ tenant: 'acme', fixed_parameters: { project: 'victim' } });
    const answer = await get(key, route.path.replace('{q}', 'logs.all').replace('{id}', 'AAAAAAAA'), route.methods[0]);
    expect([answer.status, answer.json().error.code]).toEqual([403, 'tenant_denied']);
    expect(answer.text).not.toMatch(/acme|victim/);
    expect(service.engine.asked).toEqual([]);
  }
);
