import { createManualClock } from '../../support/fakes/clock';
import { type RawAnswer, send } from '../../support/fakes/connection';
import { failure } from '../../support/fakes/engine';
import { BOOTSTRAP_TOKEN, createTestService, type TestService } from '../../support/servers/in-memory';

const CALL = '/api/endpoints/query/logs.all?project=a';
const clock = createManualClock();

let service: TestService;
beforeEach(() => {
  service = createTestService({
    clock,
    settings: { LQE_MAX_REQUESTS_PER_MINUTE: '3', LQE_MAX_WRONG_KEYS_PER_MINUTE: '2' },
  });
});
afterEach(() => service.close());

const call = (key: string, target = CALL) => send(service.server, target, { headers: { 'X-API-KEY': key } });
const brief = ({ status, headers, json }: RawAnswer) => [
  status,
  status === 200 ? headers['ratelimit'] : json().error.code,
  headers['retry-after'] ?? null,
];

describe('the rate limit of a token', () => {
  it('is in each response to a token, and refuses requests beyond it until the window ends', async () => {
    const key = service.createToken();
    expect((await call(key)).headers['ratelimit-policy']).toBe('"token";q=3;w=60');
    clock.advance(20_000);
    expect(brief(await call(key))).toEqual([200, '"token";r=1;t=40', null]);
    expect(brief(await call(key, '/api/endpoints'))).toEqual([200, '"token";r=0;t=40', null]);
    const refused = await call(key);
    expect(brief(refused)).toEqual([429, 'rate_limited', '40']);
    expect(refused.headers['ratelimit']).toBe('"token";r=0;t=40');
    expect(refused.json().error.details).toMatchObject({ max_requests: 3, window_seconds: 60 });
    expect(service.engine.asked).toHaveLength(2);
    clock.advance(40_000);
    expect(brief(await call(key))).toEqual([200, '"token";r=2;t=60', null]);
  });

  it("is the token's own if it has one, and one token does not use up the limit of another", async () => {
    const slow = service.createToken({ name: 'slow', rate: 1 });
    const other = service.createToken({ name: 'other' });
    expect((await call(slow)).headers['ratelimit-policy']).toBe('"token";q=1;w=60');
    expect((await call(slow)).status).toBe(429);
    expect((await call(other)).status).toBe(200);
  });

  it('counts requests that are refused for other reasons, and is in their responses too', async () => {
    const key = service.createToken({ scopes: ['ingest'] });
    const refused = await call(key);
    expect([refused.status, refused.headers['ratelimit']]).toEqual([403, '"token";r=2;t=60']);
  });

  it('does not count batches of events, whose senders are slowed by other limits', async () => {
    const key = service.createToken({ scopes: ['ingest'] });
    for (let n = 0; n < 5; n += 1) {
      const { status, headers } = await send(service.server, '/api/logs?source=edge_requests', {
        method: 'POST',
        headers: { 'X-API-KEY': key },
        body: '{}',
      });
      expect([status, headers['ratelimit']]).toEqual([200, undefined]);
    }
  });

  it('counts requests for the OpenAPI document, where a key is optional', async () => {
    const key = service.createToken();
    for (let n = 0; n < 3; n += 1) expect((await call(key, '/api/openapi.json')).status).toBe(200);
    expect((await call(key, '/api/openapi.json')).status).toBe(429);
    const open = await send(service.server, '/api/openapi.json');
    expect([open.status, open.headers['ratelimit']]).toEqual([200, undefined]);
  });
});

describe('wrong keys', () => {
  it('block the address for a while, except for its valid tokens', async () => {
    const real = service.createToken();
    expect((await call('guess-1')).status).toBe(401);
    expect((await call('guess-2')).status).toBe(401);
    clock.advance(15_000);
    expect(brief(await call('guess-3'))).toEqual([429, 'rate_limited', '45']);
    expect(brief(await call(BOOTSTRAP_TOKEN))).toEqual([429, 'rate_limited', '45']);
    expect((await call(real)).status).toBe(200);
    clock.advance(45_000);
    expect((await call(BOOTSTRAP_TOKEN)).status).toBe(200);
    expect((await call('guess-4')).status).toBe(401);
  });

  it('in the form of a real token count as well', async () => {
    const revokedLike = service.createToken().replace(/.{6}$/, 'AAAAAA');
    for (const status of [401, 401, 429]) expect((await call(revokedLike)).status).toBe(status);
  });
});

describe('readiness', () => {
  const ready = () => send(service.server, '/health/ready');
  const statusCalls = () => service.engine.asked.filter(({ kind }) => kind === 'status').length;

  it('asks the store at most once a second, however many probes come', async () => {
    await ready();
    for (let n = 0; n < 20; n += 1) expect((await ready()).status).toBe(200);
    expect(statusCalls()).toBe(1);
    clock.advance(1000);
    await ready();
    expect(statusCalls()).toBe(2);
  });

  it('stays while the store is busy for a moment, and fails when the store stays silent', async () => {
    await ready();
    service.engine.answers.status = () => new Promise(() => undefined);
    clock.advance(9000);
    const busy = ready();
    await new Promise((resolve) => setTimeout(resolve, 50));
    clock.advance(200);
    expect((await busy).status).toBe(200);
    clock.advance(1000);
    const silent = ready();
    await new Promise((resolve) => setTimeout(resolve, 50));
    clock.advance(900);
    expect((await silent).json()).toMatchObject({ checks: { store: 'failed', engine: 'ok' } });
  });

  it('shows that events are refused, and why, until the store takes them again', async () => {
    const status = (ingestFault: object): void => {
      service.engine.answers.status = () => ({ empty: false, ok: true, running: 0, rssBytes: 0, ...ingestFault });
    };
    const fault = async (): Promise<readonly string[]> => {
      const { text } = await send(service.server, '/metrics', { headers: { 'X-API-KEY': BOOTSTRAP_TOKEN } });
      return text.split('\n').filter((line) => line.startsWith('logquery_store_ingest_fault'));
    };
    status({ ingestFault: 'disk_full' });
    expect((await ready()).json()).toEqual({
      status: 'degraded',
      checks: { service: 'ok', engine: 'ok', store: 'ok', tokens: 'ok', ingest: 'refusing' },
      ingest: { reason: expect.stringMatching(/^The disk of the store is full, .* Free space/) as string },
    });
    expect(await fault()).toEqual(['logquery_store_ingest_fault{reason="disk_full"} 1']);
    status({});
    // A probe gets the status of now, not that of the probe before.
    clock.advance(5000);
    expect((await ready()).json()).toEqual({ status: 'ok' });
    expect(await fault()).toEqual([]);
  });

  it('fails at once when the store reports a failure, and returns when the store does', async () => {
    service.engine.answers.status = failure('backend_unavailable');
    expect((await ready()).status).toBe(503);
    service.engine.answers.status = () => ({ empty: false, ok: true, running: 0, rssBytes: 0 });
    clock.advance(1000);
    expect((await ready()).status).toBe(200);
  });
});
