/** The rate of changes of one token, and of all tokens of a tenant. */
import { send } from '../../../support/fakes/connection';
import { BOOTSTRAP_TOKEN, createTestService } from '../../../support/servers/in-memory';
import { idOf, TOKEN_TEST_QUERIES, tokenCalls } from '../../../support/servers/token-calls';

it.each([
  ['a purge of cached results', 'DELETE', '/api/endpoints/logs.all/cache', 204],
  ['a token that is created', 'POST', '/api/tokens', 201],
])('%s counts as a change', async (_name, method, path, status) => {
  const service = createTestService({ settings: { LQE_MAX_CHANGES_PER_MINUTE: '2' } });
  const headers = { 'X-API-KEY': BOOTSTRAP_TOKEN, 'Content-Type': 'application/json' };
  const body = method === 'POST' ? JSON.stringify({ name: 'a' }) : undefined;
  const change = () => send(service.server, path, { method, headers, ...(body !== undefined && { body }) });
  try {
    expect([(await change()).status, (await change()).status]).toEqual([status, status]);
    const refused = await change();
    expect([refused.status, refused.json().error.details.reason]).toEqual([429, 'changes']);
  } finally {
    service.close();
  }
});

it.each([
  ['a tenant', { tenant: 'acme' }],
  ['a fixed parameter that names a tenant', { fixed_parameters: { customer: 'acme' } }],
])('a token that is confined by %s gets no further changes by making tokens', async (_name, limits) => {
  const service = createTestService({
    definitions: TOKEN_TEST_QUERIES,
    settings: { LQE_MAX_CHANGES_PER_MINUTE: '2' },
  });
  try {
    const scopes = ['tokens:admin' as const];
    const admin = service.createToken({ scopes, ...limits });
    const made = await tokenCalls(service, admin).create({ name: 'second', scopes, ...limits });
    expect(made.status).toBe(201);
    const second = tokenCalls(service, (made.json().result as { token: string }).token);
    expect((await second.change(idOf(admin), { name: 'first' })).status).toBe(200);
    expect((await second.change(idOf(admin), { name: 'other' })).json().error.code).toBe('rate_limited');

    const other = service.createToken({ scopes, tenant: 'other' });
    expect((await tokenCalls(service, other).create({ name: 'x', scopes, tenant: 'other' })).status).toBe(201);
  } finally {
    service.close();
  }
});
