/** Requests in the form of the older service: paths, names of the source, and the answer. */
import { sourceSchema } from '#contract/events/source';
import type { TokenPolicy } from '#contract/tokens/token';
import { send } from '../../../support/fakes/connection';
import { createTestService, type TestService } from '../../../support/servers/in-memory';

const UUID = 'a040ae88-3e27-448b-9ee6-622278b23193';
const SOURCES = [
  sourceSchema.parse({ name: 'edge_requests', aliases: ['cloudflare.logs.prod'], id: UUID }),
  sourceSchema.parse({ name: 'auth_events' }),
];

let service: TestService;
let key: string;
beforeEach(() => {
  service = createTestService({ sources: SOURCES });
  key = service.createToken();
});
afterEach(() => service.close());

const post = (target: string, body: string, headers: Record<string, string> = {}) =>
  send(service.server, target, { method: 'POST', headers: { 'X-API-KEY': key, ...headers }, body });
const stored = () =>
  service.engine.asked.map(({ request, options }) => [
    (request as { source: string }).source,
    Buffer.from(options.body!).toString('utf8'),
  ]);

describe.each(['/logs', '/api/logs', '/api/events'])('%s', (path) => {
  it.each([
    ['source', '?source=edge_requests', {}],
    ['source as a UUID', `?source=${UUID}`, {}],
    ['source as a UUID in capital letters', `?source=${UUID.toUpperCase()}`, {}],
    ['source as an alias', '?source=cloudflare.logs.prod', {}],
    ['source_name', '?source_name=cloudflare.logs.prod', {}],
    ['collection_name', '?collection_name=edge_requests', {}],
    ['two names of one source', `?source=${UUID}&source_name=edge_requests&collection_name=`, {}],
    ['the header X-Source', '', { 'X-Source': UUID }],
    ['the header X-Source beside the parameter', '?source=edge_requests', { 'X-Source': UUID }],
  ])('takes the source from %s', async (_name, query, headers: Record<string, string>) => {
    const answer = await post(`${path}${query}`, '{"batch":[{"message":"a"}]}', headers);
    expect([answer.status, answer.json()]).toEqual([
      200,
      { result: { accepted: 1, duplicates: 0, rejected: 0, errors: [] }, message: 'Logged!' },
    ]);
    expect(answer.headers['svc-endpoint-ignored-parameters']).toBeUndefined();
    expect(stored()).toEqual([['edge_requests', '{"message":"a"}']]);
  });
});

it.each([
  ['beside a batch', `{"batch":[{"message":"a"}],"source":"${UUID}"}`, '{"message":"a"}'],
  ['before a batch', '{"source_name":"edge_requests","batch":[{"message":"a"}]}', '{"message":"a"}'],
  ['in an event', `{"log_entry":"a","source":"${UUID}"}`, `{"log_entry":"a","source":"${UUID}"}`],
])('the body names the source %s', async (_name, body, entries) => {
  expect((await post('/logs', body)).status).toBe(200);
  expect(stored()).toEqual([['edge_requests', entries]]);
});

it('the request outranks the body', async () => {
  await post('/logs?source=auth_events', '{"batch":[{"a":1}],"source":"edge_requests"}');
  expect(stored()).toEqual([['auth_events', '{"a":1}']]);
});

it.each([
  ['several sources', '?source=edge_requests&source_name=auth_events', {}, '{}', 400, 'parameter_conflict'],
  ['another source in the header', '?source=edge_requests', { 'X-Source': 'auth_events' }, '{}', 400, 'parameter_conflict'], // prettier-ignore
  ['an unknown source in the header', '', { 'X-Source': 'edge_request' }, '{}', 404, 'source_not_found'],
  ['a UUID of no source', `?source=${UUID.replace('a', 'b')}`, {}, '{}', 404, 'source_not_found'],
  ['an unknown source in the body', '', {}, '{"source":"nowhere"}', 404, 'source_not_found'],
  ['no source', '', {}, '{"message":"a"}', 400, 'parameter_missing'],
  ['a source that is no text', '', {}, '{"source":1,"batch":[]}', 400, 'parameter_missing'],
  ['a source of 300 letters in the body', '', {}, `{"source":"${'a'.repeat(300)}"}`, 400, 'parameter_missing'],
  ['a name of every object', '', {}, '{"source":"__proto__"}', 404, 'source_not_found'],
  ['lines that name sources', '', {}, '{"source":"edge_requests"}\n{"source":"auth_events"}', 400, 'parameter_missing'],
  ['a source given twice', '?source=a&source=b', {}, '{}', 400, 'parameter_duplicate'],
])('%s is refused', async (_name, query, headers: Record<string, string>, body, status, code) => {
  const answer = await post(`/logs${query}`, body, headers);
  expect([answer.status, answer.json().error.code]).toEqual([status, code]);
  expect(stored()).toEqual([]);
});

it('a request whose events were all rejected is not answered with "Logged!"', async () => {
  service.engine.answers.ingest = () => ({ accepted: 0, duplicates: 0, rejected: 1, errors: [] });
  expect((await post('/logs?source=edge_requests', '{}')).json().message).toBeUndefined();
});

it('a token in the URL is refused with the ways to send it', async () => {
  for (const parameter of [`api_key=${key}`, 'api_key=1']) {
    const { error } = (await post(`/logs?source=edge_requests&${parameter}`, '{}')).json();
    expect([error.code, error.details.reason]).toEqual(['parameter_invalid', 'key_in_url']);
    expect(error.message).toContain('X-API-KEY, Authorization: Bearer, or as the password of Basic');
  }
  expect(service.logText()).not.toContain(key.slice(13, 24));
});

it('a tenant’s token stores its own events only, by every name of the source', async () => {
  const confined = service.createToken({ tenant: 'acme' });
  const headers = { 'X-API-KEY': confined };
  await post(`/logs?source=${UUID}`, '{"batch":[{"project":"victim"}],"source":"edge_requests"}', headers);
  expect(service.engine.asked[0]!.request).toMatchObject({ tenant: { confinedTo: 'acme', given: null } });
  const other = await post(`/api/events?project=victim`, '{}', { ...headers, 'X-Source': UUID });
  expect([other.status, other.json().error.code]).toEqual([403, 'parameter_locked']);
});

describe('a request whose source is unknown or missing', () => {
  const READ = 'GET /api/sources lists the sources, for a token with endpoints:read';
  const refused = async (policy: Partial<TokenPolicy>, target: string): Promise<Record<string, unknown>> => {
    const headers = { 'X-API-KEY': service.createToken(policy) };
    const answer = await send(service.server, target, { method: 'POST', headers, body: '{}' });
    const { request_id, ...details } = answer.json().error.details;
    return details;
  };

  it.each(['/api/logs?source=zzz', '/api/logs', '/api/logs/netlify', '/loki/api/v1/push?source=zzz'])(
    '%s lists the sources for a token that may see them',
    async (target) => {
      const details = await refused({ scopes: ['ingest', 'endpoints:read'] }, target);
      const hint = 'there are the sources edge_requests, auth_events';
      expect(details).toMatchObject({ hint, sources: ['edge_requests', 'auth_events'] });
    }
  );

  it('has the nearest name as its hint', async () => {
    const details = await refused({ scopes: ['ingest', 'endpoints:write'] }, '/api/logs?source=auth_event');
    expect(details).toEqual({ hint: 'did you mean "auth_events"?', sources: ['edge_requests', 'auth_events'] });
  });

  it.each<[string, Partial<TokenPolicy>]>([
    ['without the scope', { scopes: ['ingest'] }],
    ['of a tenant', { scopes: ['ingest', 'endpoints:read'], tenant: 'acme' }],
    ['with a fixed parameter', { scopes: ['ingest', 'endpoints:read'], fixed_parameters: { region: 'eu' } }],
    ['with a list of saved queries', { scopes: ['ingest', 'endpoints:read'], endpoints: ['logs.all'] }],
  ])('lists nothing for a token %s', async (_name, policy) => {
    expect(await refused(policy, '/api/logs?source=zzz')).toEqual({ hint: READ });
    expect(await refused(policy, '/api/logs?source=auth_event')).toEqual({ hint: READ });
  });

  it.each([null, 'zzz', 'auth_event'])(
    'a record of the source %j names no source to a token of a tenant',
    async (name) => {
      const attributes = name === null ? [] : [{ key: 'lqe.source', value: { stringValue: name } }];
      const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ attributes }] }] }] });
      const headers = { 'X-API-KEY': service.createToken({ scopes: ['ingest', 'endpoints:read'], tenant: 'acme' }) };
      const answer = await send(service.server, '/v1/logs', {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body,
      });
      expect(answer.status).toBe(400);
      const { message } = answer.json() as { message: string };
      expect(message).toContain(READ);
      expect(message).not.toMatch(/auth_events|edge_requests/);
    }
  );
});
