/** Pages of the listed origins may call the service; pages of other origins cannot read a response. */
import { BOOTSTRAP_TOKEN, createTestService, type TestService } from '../../../support/servers/in-memory';
import { type RawAnswer, send } from '../../../support/fakes/connection';

const APP = 'https://app.example';
const LOCAL = 'http://localhost:3000';
const KEY = { 'X-API-KEY': BOOTSTRAP_TOKEN };
const CALL = '/api/endpoints/query/usage.api-counts?interval=daily&project=abc';

let service: TestService;
afterEach(() => service.close());

const serve = (origins?: string): void => {
  service = createTestService({ settings: origins === undefined ? {} : { LQE_CORS_ORIGINS: origins } });
};
const call = (origin: string | undefined, headers: Record<string, string> = {}, target = CALL): Promise<RawAnswer> =>
  send(service.server, target, {
    headers: { ...KEY, ...(origin === undefined ? {} : { Origin: origin }), ...headers },
  });
const corsHeaders = ({ headers }: RawAnswer): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));
const varies = ({ headers }: RawAnswer): boolean => /(^|, )Origin(,|$)/.test(headers['vary'] ?? '');

it('no CORS header is sent when no origin is listed', async () => {
  serve();
  for (const answer of [
    await call(APP),
    await send(service.server, CALL, { method: 'OPTIONS', headers: { Origin: APP } }),
  ])
    expect([corsHeaders(answer), varies(answer)]).toEqual([[], false]);
});

describe('with two origins listed', () => {
  beforeEach(() => serve(`${APP}, ${LOCAL}`));

  it('a page of each may read the response and the headers that matter', async () => {
    for (const origin of [APP, LOCAL]) {
      const answer = await call(origin);
      expect(answer.status).toBe(200);
      expect(answer.headers['access-control-allow-origin']).toBe(origin);
      const exposed = answer.headers['access-control-expose-headers']!.toLowerCase().split(', ');
      // Headers that a page may read by default, and those that it does not need.
      const always = ['cache-control', 'content-length', 'content-type'];
      const own = Object.keys(answer.headers).filter(
        (name) => /^(svc-|x-request|etag|age|cache-|ratelimit|retry|server-timing)/.test(name) && !always.includes(name)
      );
      expect(own.filter((name) => !exposed.includes(name))).toEqual([]);
      expect(varies(answer)).toBe(true);
    }
  });

  it.each([
    'https://app.example:8443',
    'http://app.example',
    'https://APP.example',
    'https://evil.app.example',
    'https://app.example.evil',
    'https://app.exampl',
    'null',
    '*',
    '',
    `${APP}, ${LOCAL}`,
    `${APP} ${LOCAL}`,
  ])('a page of the origin %j may not read the response', async (origin) => {
    const answer = await call(origin);
    expect([answer.status, corsHeaders(answer), varies(answer)]).toEqual([200, [], true]);
  });

  it('cached responses and 304 have the header for the origin that asks', async () => {
    const first = await call(APP);
    const etag = first.headers['etag']!;
    for (const origin of [LOCAL, undefined, APP, LOCAL, APP, undefined, 'https://other.example'])
      for (const headers of [{}, { 'If-None-Match': etag }] as Record<string, string>[]) {
        const answer = await call(origin, headers);
        expect([answer.status, answer.headers['cache-status']?.split(';')[1]]).toEqual([
          'If-None-Match' in headers ? 304 : 200,
          ' hit',
        ]);
        const expected = origin === APP || origin === LOCAL ? origin : undefined;
        expect(answer.headers['access-control-allow-origin']).toBe(expected);
        expect(varies(answer)).toBe(true);
      }
    expect(service.engine.asked).toHaveLength(1);
  });

  it.each([
    ['/api/endpoints/query/logs.all', 400],
    ['/nowhere', 404],
    [`/${'x'.repeat(20_000)}`, 414],
    ['/api/endpoints?api_key=1', 400],
  ])('a page may read an error too: %.40s', async (target, status) => {
    const answer = await call(APP, {}, target);
    expect([answer.status, answer.headers['access-control-allow-origin'], varies(answer)]).toEqual([status, APP, true]);
  });

  it('a page may read the refusal of a wrong token', async () => {
    const answer = await call(APP, { 'X-API-KEY': 'wrong' });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([401, APP]);
  });

  it('a preflight needs no token and lists what may be sent', async () => {
    const answer = await send(service.server, CALL, {
      method: 'OPTIONS',
      headers: {
        Origin: APP,
        'Access-Control-Request-Method': 'QUERY',
        'Access-Control-Request-Headers': 'content-type,x-api-key',
      },
    });
    expect([answer.status, answer.body.length]).toEqual([204, 0]);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': APP,
      'access-control-allow-methods': expect.stringContaining('QUERY'),
      'access-control-max-age': '7200',
    });
    const headers = answer.headers['access-control-allow-headers']!.toLowerCase().split(', ');
    for (const name of ['x-api-key', 'content-type', 'if-none-match', 'svc-endpoint-redact-pii', 'svc-endpoint-meta'])
      expect(headers).toContain(name);
    // What clients of the Model Context Protocol send.
    for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name']) expect(headers).toContain(name);
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('a preflight of another origin gets no CORS headers', async () => {
    const headers = { Origin: 'https://other.example', 'Access-Control-Request-Method': 'GET' };
    expect(corsHeaders(await send(service.server, CALL, { method: 'OPTIONS', headers }))).toEqual([]);
  });
});
