import type { QueryRequest } from '#contract/queries/query';
import { SCOPES } from '#contract/tokens/token';
import { createManualClock, type ManualClock, settle } from '../../support/fakes/clock';
import { connect, type RawAnswer, send } from '../../support/fakes/connection';
import { failure, jsonResult } from '../../support/fakes/engine';
import {
  createTestService,
  LOGS,
  type TestService,
  type TestServiceOptions,
  USAGE,
} from '../../support/servers/in-memory';

const USAGE_CALL = '/api/endpoints/query/usage.api-counts?interval=daily&project=abc';
const LOGS_CALL = '/api/endpoints/query/logs.all?project=abc';
const PURGE = '/api/endpoints/usage.api-counts/cache';

let clock: ManualClock;
let service: TestService;
/** Not the bootstrap token, whose calls are checked completely each time. */
let caller: string;
/** Each run brings its number. */
let rowsOf: (run: number) => readonly object[];

function openService(options: TestServiceOptions = {}): void {
  service = createTestService({ clock, tokensMaxAgeMs: 60_000, ...options });
  caller = service.createToken({ scopes: [...SCOPES] });
}

beforeEach(() => {
  clock = createManualClock();
  openService();
  rowsOf = (run) => [{ run }];
  let run = 0;
  service.engine.answers.run = (request) =>
    jsonResult(request, rowsOf((run += 1)), { redacted: request.redact, rows: rowsOf(run).length });
});
afterEach(() => service.close());

const runs = () =>
  service.engine.asked.filter(({ kind }) => kind === 'run').map(({ request }) => request as QueryRequest);
const call = (target = USAGE_CALL, headers: Record<string, string> = {}, method = 'GET', body?: string) =>
  send(service.server, target, {
    method,
    headers: { 'X-API-KEY': caller, ...headers },
    ...(body === undefined ? {} : { body }),
  });
const asToken = (token: string, target = USAGE_CALL) => call(target, { 'X-API-KEY': token });
const facts = ({ status, headers }: RawAnswer) => [
  status,
  headers['cache-status'],
  headers['age'],
  headers['cache-control'],
];

describe('response headers', () => {
  it('describe a miss, and hits until the cache period ends', async () => {
    expect(facts(await call())).toEqual([200, 'log-query; fwd=miss; stored', '0', 'private, max-age=900']);
    await clock.pass(288_900);
    const hit = await call();
    expect(facts(hit)).toEqual([200, 'log-query; hit; ttl=612', '288', 'private, max-age=900']);
    expect(hit.headers).toMatchObject({ 'svc-endpoint-rows': '1', 'svc-endpoint-revision': '1' });
    expect(hit.headers['vary']).toContain('X-API-KEY');
    expect(hit.text).toBe('{"result":[{"run":1}]}');
  });

  it('have an age and a time to live that add up to the cache period', async () => {
    await call();
    for (const ms of [999, 1, 123_456, 500]) {
      await clock.pass(ms);
      const { headers } = await call();
      const ttl = Number(/ttl=(\d+)/.exec(headers['cache-status']!)![1]);
      expect(ttl + Number(headers['age'])).toBe(900);
    }
  });

  it('forbid caching the response of a query that is never cached', async () => {
    for (const answer of [await call(LOGS_CALL), await call(LOGS_CALL)]) {
      expect(facts(answer)).toEqual([200, 'log-query; fwd=bypass', undefined, 'no-store']);
      expect(answer.headers).not.toHaveProperty('etag');
    }
    expect(runs()).toHaveLength(2);
  });

  it('report no database time for a hit', async () => {
    expect((await call()).headers['server-timing']).toContain('db;dur=2');
    expect((await call()).headers['server-timing']).toMatch(/^trace;desc="[0-9a-f]{32}"$/);
  });

  it('mark a truncated and redacted result, on hits too', async () => {
    service.engine.answers.run = (request) => jsonResult(request, [], { truncated: true, redacted: true });
    for (const status of ['log-query; fwd=miss; stored', 'log-query; hit; ttl=900'])
      expect((await call(USAGE_CALL, { 'SVC-ENDPOINT-REDACT-PII': 'true' })).headers).toMatchObject({
        'cache-status': status,
        'svc-endpoint-truncated': 'true',
        'svc-endpoint-redacted': 'true',
      });
  });

  it('forbid caching a result that is too large for the cache', async () => {
    service.close();
    openService({ settings: { LQE_CACHE_MAX_BYTES: '2000' } });
    const answer = await call();
    expect(facts(answer)).toEqual([200, 'log-query; fwd=miss', undefined, 'no-store']);
    expect(answer.headers).not.toHaveProperty('etag');
  });

  it('mark a hit whose background refresh has failed', async () => {
    await call();
    service.engine.answers.run = failure('backend_error');
    await clock.pass(300_000);
    expect(facts(await call())).toEqual([
      200,
      'log-query; hit; ttl=600; detail=stale-if-error',
      '300',
      'private, max-age=900',
    ]);
  });
});

describe('the cache treats calls', () => {
  const same = async (...targets: readonly string[]): Promise<void> => {
    for (const target of targets) expect((await call(target)).status).toBe(200);
    expect(runs()).toHaveLength(1);
  };

  it('with parameters in another order, unknown parameters or other escapes as equal', () =>
    same(
      USAGE_CALL,
      '/api/endpoints/query/usage.api-counts?project=abc&interval=daily',
      `${USAGE_CALL}&utm=1`,
      '/api/endpoints/query/usage.api-counts?project=%61bc&interval=daily',
      `/api/endpoints/query/${USAGE.id}?interval=daily&project=abc`
    ));

  it('by GET and by POST as equal', async () => {
    await call();
    const type = { 'Content-Type': 'application/json' };
    await call('/api/endpoints/query/usage.api-counts', type, 'POST', '{"project":"abc","interval":"daily"}');
    expect(runs()).toHaveLength(1);
  });

  it('with other unknown parameters as equal, and names the ignored ones in each response', async () => {
    await call(`${USAGE_CALL}&a=1`);
    expect((await call(`${USAGE_CALL}&b=1`)).headers['svc-endpoint-ignored-parameters']).toBe('b');
  });

  it.each<[string, string, Record<string, string>]>([
    ['another letter case of a value', USAGE_CALL.replace('abc', 'ABC'), {}],
    ['another value', USAGE_CALL.replace('daily', 'hourly'), {}],
    ['ad-hoc text', `${USAGE_CALL}&sql=select+1`, {}],
    ['redaction', USAGE_CALL, { 'SVC-ENDPOINT-REDACT-PII': 'true' }],
    ['the format', USAGE_CALL, { Accept: 'text/csv' }],
    ['the style of timestamps', USAGE_CALL, { 'SVC-ENDPOINT-TIMESTAMPS': 'rfc3339' }],
    ['facts in the body', USAGE_CALL, { 'SVC-ENDPOINT-META': 'true' }],
  ])('that differ in %s as different', async (_what, target, headers) => {
    await call();
    expect((await call(target, headers)).headers['cache-status']).toBe('log-query; fwd=miss; stored');
    expect((await call(target, headers)).headers['cache-status']).toBe('log-query; hit; ttl=900');
    expect((await call()).headers['cache-status']).toBe('log-query; hit; ttl=900');
    expect(runs()).toHaveLength(2);
  });

  it('of another revision as different', async () => {
    await call();
    const { ctx } = service;
    ctx.definitions.replace([{ ...USAGE, revision: 2 }, LOGS]);
    expect((await call()).headers).toMatchObject({
      'cache-status': 'log-query; fwd=miss; stored',
      'svc-endpoint-revision': '2',
    });
  });
});

describe('a cached result', () => {
  it('is refused without a token, with a wrong token, without the scope and without access to the endpoint', async () => {
    const etag = (await call()).headers['etag']!;
    const headers = (token: string) => ({ 'X-API-KEY': token, 'If-None-Match': etag });
    const noScope = service.createToken({ scopes: ['ingest'] });
    const elsewhere = service.createToken({ endpoints: ['logs.all'] });
    expect((await send(service.server, USAGE_CALL, { headers: { 'If-None-Match': etag } })).status).toBe(401);
    expect((await call(USAGE_CALL, headers('wrong'))).status).toBe(401);
    expect((await call(USAGE_CALL, headers(noScope))).status).toBe(403);
    expect((await call(USAGE_CALL, headers(elsewhere))).status).toBe(404);
    for (const token of ['wrong', noScope, elsewhere])
      expect((await call(USAGE_CALL, headers(token))).headers).not.toHaveProperty('cache-status');
  });

  it('is returned to a token with a fixed parameter only for its own value', async () => {
    const mine = service.createToken({ fixed_parameters: { project: 'mine' } });
    const open = service.createToken();
    await asToken(open, USAGE_CALL.replace('abc', 'yours'));
    expect((await asToken(mine, USAGE_CALL.replace('abc', 'yours'))).status).toBe(403);
    expect((await asToken(mine, USAGE_CALL.replace('&project=abc', ''))).json().result).toEqual([{ run: 2 }]);
    expect(runs()[1]!.parameters['project']).toBe('mine');
    // The same request of an open token is the same result.
    expect((await asToken(open, USAGE_CALL.replace('abc', 'mine'))).json().result).toEqual([{ run: 2 }]);
  });

  it('is shared by tokens with the same view, but not with a lower row cap or forced redaction', async () => {
    for (const policy of [{}, {}, { max_rows: 5 }, { max_rows: 5 }, { force_redaction: true }, { max_rows: 5000 }])
      await asToken(service.createToken(policy));
    expect(runs().map(({ maxRows, redact }) => [maxRows, redact])).toEqual([
      [1000, false],
      [5, false],
      [1000, true],
    ]);
  });

  it('is refused to a revoked token', async () => {
    const token = service.createToken({ expires_at: clock.now().toISOString() });
    await call();
    expect((await asToken(token)).status).toBe(401);
  });

  it('of ad-hoc text is refused to a token without the ad-hoc scope', async () => {
    const target = `${USAGE_CALL}&sql=select+1`;
    await call(target);
    expect((await asToken(service.createToken({ scopes: ['query'] }), target)).status).toBe(403);
  });
});

describe('the cache', () => {
  it('does not store failures', async () => {
    const { run } = service.engine.answers;
    service.engine.answers.run = failure('query_timeout');
    const failed = await call();
    expect([failed.status, failed.headers['cache-control']]).toEqual([504, 'no-store']);
    expect(failed.headers).not.toHaveProperty('etag');
    service.engine.answers.run = run;
    expect((await call()).headers['cache-status']).toBe('log-query; fwd=miss; stored');
  });

  it('neither sends nor stores rows that should have been redacted but were not', async () => {
    service.engine.answers.run = (request) => jsonResult(request, [{ secret: 1 }]);
    const headers = { 'SVC-ENDPOINT-REDACT-PII': 'true' };
    const statuses = [await call(USAGE_CALL, headers), await call(USAGE_CALL, headers)].map(({ status }) => status);
    expect(statuses).toEqual([500, 500]);
    expect(service.ctx.queryCache.stats().entries).toBe(0);
  });
});

describe('If-None-Match', () => {
  it('answers 304 for the current tag, alone, in a list, as a weak tag, and for *', async () => {
    const first = await call();
    const etag = first.headers['etag']!;
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      await clock.pass(1000);
      const answer = await call(USAGE_CALL, { 'If-None-Match': known });
      expect([answer.status, answer.body.length, answer.headers['etag']]).toEqual([304, 0, etag]);
      expect(answer.headers).toMatchObject({ 'cache-control': 'private, max-age=900', vary: first.headers['vary'] });
      expect(answer.headers['age']).toMatch(/^[1-4]$/);
      for (const absent of ['content-type', 'content-length', 'content-encoding'])
        expect(answer.headers).not.toHaveProperty(absent);
    }
    expect((await call(USAGE_CALL, { 'If-None-Match': '"other"' })).status).toBe(200);
    expect((await call(USAGE_CALL, { 'If-None-Match': etag.slice(1, -1) })).status).toBe(200);
  });

  it('is compared with the current rows: a later run with equal rows answers 304', async () => {
    rowsOf = () => [{ n: 1 }];
    const etag = (await call()).headers['etag']!;
    await clock.pass(2_000_000);
    const answer = await call(USAGE_CALL, { 'If-None-Match': etag });
    expect([answer.status, answer.headers['cache-status']]).toEqual([304, 'log-query; fwd=miss; stored']);
    rowsOf = () => [{ n: 2 }];
    await clock.pass(2_000_000);
    expect((await call(USAGE_CALL, { 'If-None-Match': etag })).status).toBe(200);
  });

  it('works for HEAD and QUERY, but not for POST, whose result has no URL', async () => {
    const etag = (await call()).headers['etag']!;
    expect((await call(USAGE_CALL, { 'If-None-Match': etag }, 'HEAD')).status).toBe(304);
    expect((await call(USAGE_CALL, { 'If-None-Match': etag }, 'QUERY')).status).toBe(304);
    expect((await call(USAGE_CALL, { 'If-None-Match': etag }, 'POST')).status).toBe(200);
  });

  it('never answers 304 for a query that is not cached', async () => {
    expect((await call(LOGS_CALL, { 'If-None-Match': '*' })).status).toBe(200);
  });

  it('distinguishes formats, content codings, redaction and facts by their tags', async () => {
    rowsOf = () => Array.from({ length: 200 }, (_, n) => ({ n }));
    const variants: Record<string, string>[] = [
      {},
      { 'Accept-Encoding': 'gzip' },
      { 'Accept-Encoding': 'br' },
      { 'SVC-ENDPOINT-REDACT-PII': 'true' },
      { 'SVC-ENDPOINT-META': 'true' },
      { Accept: 'text/csv' },
    ];
    const tags = new Set<string>();
    for (const headers of variants) {
      const tag = (await call(USAGE_CALL, headers)).headers['etag']!;
      tags.add(tag.replace('W/', ''));
      expect((await call(USAGE_CALL, { ...headers, 'If-None-Match': tag })).status).toBe(304);
    }
    expect(tags.size).toBe(variants.length);
  });
});

describe('content coding', () => {
  it('is done once per entry, and hits send the same bytes', async () => {
    rowsOf = () => Array.from({ length: 500 }, (_, n) => ({ n }));
    const plain = await call();
    const before = service.ctx.queryCache.stats().bytes;
    const coded = [
      await call(USAGE_CALL, { 'Accept-Encoding': 'br' }),
      await call(USAGE_CALL, { 'Accept-Encoding': 'br' }),
    ];
    expect(coded.map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'br']);
    expect(coded[1]!.body).toEqual(coded[0]!.body);
    expect(coded[1]!.text).toBe(plain.text);
    expect(service.ctx.queryCache.stats().bytes).toBe(before + coded[0]!.body.length);
    expect(runs()).toHaveLength(1);
  });

  it('gives HEAD the same headers as GET', async () => {
    rowsOf = () => Array.from({ length: 500 }, (_, n) => ({ n }));
    const headers = { 'Accept-Encoding': 'gzip' };
    const get = await call(USAGE_CALL, headers);
    const head = await call(USAGE_CALL, headers, 'HEAD');
    for (const name of ['content-length', 'content-encoding', 'content-type', 'etag', 'svc-endpoint-rows'])
      expect(head.headers[name]).toBe(get.headers[name]);
    expect(head.body).toHaveLength(0);
  });
});

describe('facts in the body', () => {
  it('report the cache status and the age of the rows; their tag is weak because the age changes', async () => {
    const headers = { 'SVC-ENDPOINT-META': 'true' };
    const miss = await call(USAGE_CALL, headers);
    expect(miss.json().meta.cache).toEqual({ status: 'miss', age: 0 });
    await clock.pass(61_500);
    const hit = await call(USAGE_CALL, headers);
    expect(hit.json().meta.cache).toEqual({ status: 'hit', age: 61 });
    expect(hit.json().result).toEqual(miss.json().result);
    expect(hit.headers['etag']).toMatch(/^W\//);
    expect(hit.headers['etag']).toBe(miss.headers['etag']);
  });
});

describe('Cache-Control: no-cache', () => {
  it('from a token with the scope runs the query again and replaces the cached result for all callers', async () => {
    await call();
    await clock.pass(100_000);
    const fresh = await call(USAGE_CALL, { 'Cache-Control': 'max-age=0, No-Cache' });
    expect(facts(fresh)).toEqual([200, 'log-query; fwd=request; stored', '0', 'private, max-age=900']);
    expect((await call()).json().result).toEqual([{ run: 2 }]);
  });

  it('is ignored from a token without the scope', async () => {
    const token = service.createToken();
    await call();
    const answer = await call(USAGE_CALL, { 'X-API-KEY': token, 'Cache-Control': 'no-cache' });
    expect([answer.headers['cache-status'], runs().length]).toEqual(['log-query; hit; ttl=900', 1]);
  });

  it('is the only directive that bypasses the cache', async () => {
    await call();
    for (const value of ['max-age=0', 'x-no-cache', 'no-cache-please'])
      expect((await call(USAGE_CALL, { 'Cache-Control': value })).headers['cache-status']).toBe(
        'log-query; hit; ttl=900'
      );
  });
});

describe('Cache-Control: no-store', () => {
  const NO_STORE = { 'Cache-Control': 'max-age=0, No-Store' };
  const TIME = 'iso_timestamp_start';

  beforeEach(() => {
    service.close();
    openService({ definitions: [USAGE, { ...LOGS, cache_seconds: 60 }] });
  });

  it.each([
    ['an ad-hoc text', `${USAGE_CALL}&sql=select%201`, {}, 0],
    ['a saved query with a parameter of time', LOGS_CALL, {}, 0],
    ['a time that the token fixes', LOGS_CALL, { [TIME]: '2026-03-01', iso_timestamp_end: '2026-03-02' }, 1],
    ['a saved query without one, which the cache protects', USAGE_CALL, {}, 1],
  ])('of a call with %s', async (_name, target, fixed, entries) => {
    const token = service.createToken({ fixed_parameters: fixed });
    const answer = await call(target, { 'X-API-KEY': token, ...NO_STORE });
    expect(answer.headers['cache-status']).toBe(`log-query; ${entries === 0 ? 'fwd=bypass' : 'fwd=miss; stored'}`);
    expect(service.ctx.queryCache.stats().entries).toBe(entries);
  });

  it('leaves results of others as they are', async () => {
    await call(LOGS_CALL);
    await call(LOGS_CALL, NO_STORE);
    expect((await call(LOGS_CALL)).headers['cache-status']).toBe('log-query; hit; ttl=60');
    expect(runs()).toHaveLength(2);
  });
});

describe('DELETE of the cache', () => {
  it('removes the cached results of that query', async () => {
    await call();
    const purged = await call(PURGE, {}, 'DELETE');
    expect([purged.status, purged.body.length, purged.headers['cache-control']]).toEqual([204, 0, 'no-store']);
    expect((await call()).json().result).toEqual([{ run: 2 }]);
  });

  it('needs its scope and access to the query', async () => {
    await call();
    const purge = async (policy: Parameters<TestService['createToken']>[0]) =>
      (await call(PURGE, { 'X-API-KEY': service.createToken(policy) }, 'DELETE')).status;
    expect(await purge({ scopes: ['query', 'endpoints:read'] })).toBe(403);
    // A token with a list of saved queries may not change what all tokens read, its own queries included.
    for (const name of ['logs.all', 'usage.api-counts'])
      expect(await purge({ scopes: ['endpoints:write'], endpoints: [name] })).toBe(403);
    expect((await call()).headers['cache-status']).toBe('log-query; hit; ttl=900');
    expect(await purge({ scopes: ['endpoints:write'] })).toBe(204);
    expect((await call('/api/endpoints/nothing/cache', {}, 'DELETE')).status).toBe(404);
    expect((await call(PURGE)).status).toBe(405);
  });
});

describe('calls at the same time', () => {
  let release: () => void;
  let asked: number;

  beforeEach(() => {
    const cache = service.ctx.queryCache;
    const getOrRun = cache.getOrRun.bind(cache);
    const { run } = service.engine.answers;
    asked = 0;
    Object.assign(cache, {
      getOrRun: (...args: Parameters<typeof getOrRun>) => ((asked += 1), getOrRun(...args)),
    });
    const released = new Promise<void>((resolve) => (release = resolve));
    service.engine.answers.run = async (request, options) => {
      await released;
      return run(request, options);
    };
  });

  async function arrival(count: number): Promise<void> {
    while (asked < count || runs().length === 0) await settle();
  }

  it('share one run: 200 calls of a token that may have four runs', async () => {
    const calls = Array.from({ length: 200 }, () => call());
    await arrival(200);
    release();
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['200 {"result":[{"run":1}]}'])
    );
    expect(answers.map(({ headers }) => headers['cache-status']).sort()).toEqual([
      'log-query; fwd=miss; stored',
      ...Array<string>(199).fill('log-query; fwd=miss; stored; collapsed'),
    ]);
    expect(runs()).toHaveLength(1);
  });

  it('keep their shared run when the first caller disconnects', async () => {
    const first = connect(service.server);
    first.write(`GET ${USAGE_CALL} HTTP/1.1\r\nHost: t\r\nX-API-KEY: ${caller}\r\n\r\n`);
    await arrival(1);
    const second = call();
    await arrival(2);
    first.end();
    while (service.log.length === 0) await settle();
    expect(service.log[0]).toMatchObject({ complete: false });
    release();
    expect((await second).headers['cache-status']).toBe('log-query; fwd=miss; stored; collapsed');
    expect(service.ctx.runPermits.running).toBe(0);
  });

  it('each run when the query is not cached', async () => {
    const calls = [call(LOGS_CALL), call(LOGS_CALL)];
    await arrival(2);
    release();
    await Promise.all(calls);
    expect(runs()).toHaveLength(2);
  });
});

describe('refreshing in the background', () => {
  it('replaces results before they expire and releases its permit', async () => {
    await call();
    await clock.pass(301_000);
    const warmed = await call();
    expect([warmed.json().result, warmed.headers['age']]).toEqual([[{ run: 2 }], '1']);
    expect(runs()[1]!.nowMicros - runs()[0]!.nowMicros).toBe(300_000_000);
    expect(service.ctx.runPermits.running).toBe(0);
  });

  it('leaves out queries that are never cached, and ad-hoc results', async () => {
    await call(LOGS_CALL);
    await call(`${USAGE_CALL}&sql=select+1`);
    await clock.pass(900_000);
    expect(runs()).toHaveLength(2);
  });

  it('can be off for a query that is cached', async () => {
    service.close();
    openService({ definitions: [{ ...LOGS, cache_seconds: 60 }] });
    await call(LOGS_CALL);
    await clock.pass(59_000);
    expect((await call(LOGS_CALL)).headers['cache-status']).toBe('log-query; hit; ttl=1');
    expect(runs()).toHaveLength(1);
  });
});

it('metrics count hits, misses, bypasses and background runs of the cache', async () => {
  await call();
  await call();
  await call(USAGE_CALL, { 'Cache-Control': 'no-cache' });
  await call(LOGS_CALL);
  await clock.pass(300_000);
  const { text } = await call('/metrics');
  for (const line of [
    'logquery_cache_requests_total{endpoint="usage.api-counts",result="miss"} 1',
    'logquery_cache_requests_total{endpoint="usage.api-counts",result="hit"} 1',
    'logquery_cache_requests_total{endpoint="usage.api-counts",result="refresh"} 1',
    'logquery_cache_requests_total{endpoint="logs.all",result="bypass"} 1',
    'logquery_cache_warm_runs_total{endpoint="usage.api-counts",outcome="ok"} 1',
    'logquery_cache_entries 1',
    'logquery_cache_warm_entries 1',
    'logquery_cache_evictions_total 0',
  ])
    expect(text).toContain(`${line}\n`);
});
