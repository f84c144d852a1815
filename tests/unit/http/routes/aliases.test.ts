import { ALIASES, type Alias } from '#contract/routes/aliases';
import type { QueryRequest } from '#contract/queries/query';
import { ROUTES } from '#contract/routes/routes';
import { send } from '../../../support/fakes/connection';
import { BOOTSTRAP_TOKEN, createTestService, type TestService } from '../../../support/servers/in-memory';

const KEY = { Authorization: `Bearer ${BOOTSTRAP_TOKEN}` };
const PROJECT_PATHS = ['/v1/projects/abcd/analytics/endpoints', '/platform/projects/abcd/analytics/endpoints'];

let service: TestService;
beforeEach(() => (service = createTestService()));
afterEach(() => service.close());

const get = (target: string, headers: Record<string, string> = {}) =>
  send(service.server, target, { headers: { ...KEY, ...headers } });

const lastParameters = () => {
  const runs = service.engine.asked.filter(({ kind }) => kind === 'run');
  return (runs.at(-1)?.request as QueryRequest | undefined)?.parameters;
};

describe('every alias', () => {
  it.each(ALIASES as readonly Alias[])('$path answers as its route, with its methods', async ({ path, route }) => {
    const known = ROUTES.find(({ id }) => id === route)!;
    const fill = (pattern: string) =>
      pattern.replace('{ref}', 'abcd').replace('{q}', 'logs.all').replace('{format}', 'json');
    const ask = (target: string) => {
      const headers = { ...KEY, 'X-Request-Id': 'same' };
      return (known.methods as readonly string[]).includes('GET')
        ? send(service.server, target, { headers })
        : send(service.server, `${target}&source=edge_requests`, { method: 'POST', headers, body: '{}' });
    };
    const byRoute = await ask(`${fill(known.path)}?project=abcd`);
    const byAlias = await ask(path.includes('{ref}') ? fill(path) : `${fill(path)}?project=abcd`);
    expect([byAlias.status, byAlias.json()]).toEqual([byRoute.status, byRoute.json()]);
    expect(byRoute.status).toBe(200);
    const methods = await send(service.server, fill(path), { method: 'OPTIONS' });
    expect(methods.headers['allow']).toBe(
      (await send(service.server, fill(known.path), { method: 'OPTIONS' })).headers['allow']
    );
  });

  it.each(ALIASES as readonly Alias[])('$path is not found when compatibility is off', async ({ path }) => {
    service.close();
    service = createTestService({ settings: { LQE_COMPATIBILITY: 'off' } });
    const answer = await get(path.replace('{ref}', 'abcd').replace('{q}', 'logs.all'));
    expect([answer.status, answer.json().error.code]).toEqual([404, 'route_not_found']);
  });
});

describe.each(PROJECT_PATHS)('the reference of a project in %s', (prefix) => {
  it('is the parameter "project"', async () => {
    expect((await get(`${prefix}/logs.all`)).status).toBe(200);
    expect(lastParameters()).toMatchObject({ project: 'abcd' });
  });

  it('may be given as a parameter, too', async () => {
    expect((await get(`${prefix}/logs.all?project=abcd`)).status).toBe(200);
    expect((await get(`${prefix}/logs.all?project=`)).status).toBe(200);
    expect(lastParameters()).toMatchObject({ project: 'abcd' });
  });

  it('is refused beside another project', async () => {
    const answer = await get(`${prefix}/logs.all?project=other`);
    expect([answer.status, answer.json().error.code]).toEqual([400, 'parameter_conflict']);
  });

  it('goes with a body', async () => {
    const answer = await send(service.server, `${prefix}/logs.all`, {
      method: 'POST',
      headers: { ...KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify({ iso_timestamp_start: '2026-03-01T00:00:00Z' }),
    });
    expect(answer.status).toBe(200);
    expect(lastParameters()).toMatchObject({ project: 'abcd', iso_timestamp_start: '2026-03-01T00:00:00Z' });
  });

  it('does not lead out of the confinement of a token', async () => {
    const confined = service.createToken({ scopes: ['query'], fixed_parameters: { project: 'mine' } });
    const answer = await get(`${prefix}/logs.all`, { Authorization: `Bearer ${confined}` });
    expect([answer.status, answer.json().error.code]).toEqual([403, 'parameter_locked']);
  });

  it('is decoded as any part of a path', async () => {
    expect((await get(`${prefix.replace('abcd', 'a%2Fb')}/logs.all`)).status).toBe(200);
    expect(lastParameters()).toMatchObject({ project: 'a/b' });
    expect((await get(`${prefix.replace('abcd', '%ff')}/logs.all`)).json().error.code).toBe('encoding_invalid');
  });

  it.each([
    ['without a token', {}, '/logs.all', 401],
    ['of an unknown saved query', KEY, '/logs.none', 404],
    ['of a key in the URL', KEY, '/logs.all?api_key=1', 400],
    ['of a wrong method', KEY, '/logs.all', 405],
  ])('an error %s has its message at the top, too', async (_name, headers, path, status) => {
    const method = status === 405 ? 'DELETE' : 'GET';
    const answer = await send(service.server, `${prefix}${path}`, { method, headers });
    const { message, error } = answer.json();
    expect([answer.status, message]).toEqual([status, expect.stringContaining(error.message)]);
    expect(error.details.request_id).toBe(answer.headers['x-request-id']);
  });
});

it('the hint of an error is in the message at the top', async () => {
  const { message, error } = (await get('/v1/projects/abcd/analytics/endpoints/logs')).json();
  expect(message).toBe(`There is no saved query with this id or name. Hint: ${String(error.details.hint)}`);
  expect(error.message).toBe('There is no saved query with this id or name.');
});

it('an error on other paths has no message at the top', async () => {
  for (const target of [
    '/endpoints/query/logs.none',
    '/v1/projects/abcd/other',
    '/v1/projects//analytics/endpoints/logs.all',
  ])
    expect(Object.keys((await get(target)).json())).toEqual(['error']);
});
