/**
 * A response from the request cache equals the response after a complete check, after any change in between.
 *
 * @slow 15
 */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { SCOPES } from '#contract/tokens/token';
import { fcRuns } from '../../../support/jest/fc-runs';
import { createManualClock } from '../../../support/fakes/clock';
import { type RawAnswer, send, sendInTwoParts } from '../../../support/fakes/connection';
import { jsonResult } from '../../../support/fakes/engine';
import { revokeToken, rotateToken } from '#server/catalog/tokens/file/manage-tokens';
import { BOOTSTRAP_TOKEN, createTestService, LOGS, type TestService, USAGE } from '../../../support/servers/in-memory';

const CALL = '/api/endpoints/query/usage.api-counts?interval=daily&project=abc';
const CACHED_LOGS = { ...LOGS, cache_seconds: 60 };

const TARGETS = [
  CALL,
  '/api/endpoints/query/usage.api-counts?project=abc&interval=daily',
  `/api/endpoints/query/${USAGE.id}?interval=daily&project=abc`,
  `${CALL}&colour=red`,
  `${CALL}&sql=${encodeURIComponent('select 1 from t')}`,
  `${CALL}&project=abc`,
  '/api/endpoints/query/usage.api-counts?interval=daily&project=mine',
  '/api/endpoints/query/logs.all?project=abc',
  '/api/endpoints/query/logs.all',
  '/api/endpoints/query/usage.api-counts',
  '/api/endpoints/query/nothing?project=abc',
];
const BODIES = [
  '{}',
  '{"params":{"project":"abc","interval":"daily"}}',
  '{"params":{"project":"mine","interval":"daily"}}',
  '{"project":"abc"}',
  '{"params":{"project":"abc"},"sql":"select 1 from t"}',
  '{"params":',
  '',
  JSON.stringify({ params: { project: 'abc', filler: 'x'.repeat(5_000) } }),
];
const HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { Accept: 'text/csv' },
  { 'SVC-ENDPOINT-REDACT-PII': 'true' },
  { 'SVC-ENDPOINT-META': 'true' },
  { 'SVC-ENDPOINT-META': 'maybe' },
  { 'If-None-Match': '*' },
  { 'If-None-Match': '"something"' },
  { 'Cache-Control': 'no-cache' },
  { 'Accept-Encoding': 'gzip' },
  { 'Accept-Encoding': 'identity;q=0, gzip' },
  { 'X-Request-Id': 'mine-1' },
  { 'X-Request-Id': 'not an id' },
  { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
  { 'X-Filler': 'x'.repeat(40_000) },
  { 'Content-Type': 'application/sql' },
  { 'Content-Encoding': 'gzip' },
];
const POLICIES = [
  { scopes: [...SCOPES] },
  { fixed_parameters: { project: 'mine' } },
  { rate: 5 },
  { expires_at: '2026-03-01T00:10:00.000Z' },
  { endpoints: ['logs.all'] },
  { force_redaction: true, max_rows: 3 },
];

type Step =
  | {
      readonly kind: 'call';
      readonly target: number;
      readonly headers: number;
      readonly token: number;
      readonly method: string;
      readonly body: number;
    }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'purge' | 'define' }
  | { readonly kind: 'revoke' | 'rotate'; readonly token: number };

const call = fc.record({
  kind: fc.constant('call' as const),
  target: fc.nat(TARGETS.length - 1),
  headers: fc.nat(HEADERS.length - 1),
  token: fc.nat(POLICIES.length - 1),
  method: fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'POST'),
  body: fc.nat(BODIES.length - 1),
});
const polled: fc.Arbitrary<readonly Step[]> = fc
  .tuple(call, fc.integer({ min: 1, max: 4 }))
  .map(([step, times]) => Array.from({ length: times }, () => step));
const other: fc.Arbitrary<readonly Step[]> = fc
  .oneof(
    fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(10, 1000, 61_000, 400_000, 901_000) }),
    fc.record({ kind: fc.constantFrom('purge' as const, 'define' as const) }),
    fc.record({ kind: fc.constantFrom('revoke' as const, 'rotate' as const), token: fc.nat(POLICIES.length - 1) })
  )
  .map((step) => [step]);
const steps = fc
  .array(fc.oneof({ arbitrary: polled, weight: 4 }, { arbitrary: other, weight: 1 }), { minLength: 2, maxLength: 14 })
  .map((groups) => groups.flat());

interface Side {
  readonly service: TestService;
  readonly tokens: string[];
  known: number;
}

function open(tokensMaxAgeMs: number): Side & { pass(ms: number): Promise<void> } {
  const clock = createManualClock();
  const service = createTestService({ clock, tokensMaxAgeMs, definitions: [USAGE, CACHED_LOGS] });
  service.engine.answers.run = (request) =>
    jsonResult(request, [{ of: JSON.stringify({ ...request, nowMicros: 0 }) }], { redacted: request.redact, rows: 1 });
  const side = {
    service,
    tokens: POLICIES.map((policy) => service.createToken(policy)),
    known: 0,
    pass: (ms: number) => clock.pass(ms),
  };
  const { tokens } = service.ctx;
  const isStillValid = tokens.isStillValid.bind(tokens);
  tokens.isStillValid = (principal) => {
    const holds = isStillValid(principal);
    if (holds) side.known += 1;
    return holds;
  };
  return side;
}

/** What may differ between two runs of one story. */
const OWN = ['date', 'server-timing', 'x-request-id', 'ratelimit'];

function shown({ status, headers, text }: RawAnswer): unknown {
  const rest = Object.entries(headers).filter(([name]) => !OWN.includes(name));
  const left = /r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1];
  const given = headers['x-request-id'] === 'mine-1';
  return {
    status,
    headers: Object.fromEntries(rest),
    left,
    given,
    text: text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ''),
  };
}

/** Longer than any view of the tokens is kept here. */
const VIEW_MS = 20;

async function take(side: ReturnType<typeof open>, step: Step): Promise<unknown> {
  const { service, tokens } = side;
  const { dataDir, ctx } = service;
  switch (step.kind) {
    case 'call': {
      const isPost = step.method === 'POST';
      const answer = await send(service.server, TARGETS[step.target]!, {
        method: step.method,
        headers: {
          'X-API-KEY': tokens[step.token]!,
          ...(isPost ? { 'Content-Type': 'application/json' } : {}),
          ...HEADERS[step.headers],
        },
        ...(isPost ? { body: BODIES[step.body] } : {}),
      });
      return shown(answer);
    }
    case 'pass':
      return side.pass(step.ms);
    case 'purge':
      return ctx.queryCache.purge(USAGE.id);
    case 'define':
      return ctx.definitions.replace(
        ctx.definitions.all.map((definition) => ({ ...definition, revision: definition.revision + 1 }))
      );
    case 'revoke':
    case 'rotate': {
      const id = tokens[step.token]!.split('_')[1]!;
      const change = (): Promise<unknown> =>
        step.kind === 'revoke'
          ? revokeToken(dataDir, id, ctx.clock.now())
          : rotateToken(dataDir, id, 0, ctx.clock.now());
      try {
        await change();
      } catch {
        // Revoked before: nothing to change.
      }
      await new Promise((resolve) => setTimeout(resolve, VIEW_MS + 5));
      return null;
    }
  }
}

test('a repeated request gets the same response as one that is checked again completely', async () => {
  let known = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (story) => {
      const [short, long] = [open(VIEW_MS), open(0)];
      try {
        for (const step of story) expect(await take(short, step)).toEqual(await take(long, step));
        expect(long.known).toBe(0);
        known += short.known;
      } finally {
        short.service.close();
        long.service.close();
      }
    }),
    fcRuns(50)
  );
  expect(known).toBeGreaterThan(20);
}, 120_000);

describe('a repeated request', () => {
  let side: ReturnType<typeof open>;
  beforeEach(() => {
    side = open(60_000);
  });
  afterEach(() => side.service.close());

  const ask = (headers: Record<string, string> = {}) =>
    send(side.service.server, CALL, { headers: { 'X-API-KEY': side.tokens[0]!, ...headers } });

  it('is logged and counted like any other', async () => {
    for (let times = 0; times < 3; times += 1) await ask();
    expect(side.known).toBe(2);
    const lines = side.service.log
      .filter(({ msg }) => msg === 'request')
      .map(({ route, status, code, token_id, method }) => [method, route, status, code, token_id]);
    const id = side.tokens[0]!.split('_')[1];
    expect(lines).toEqual(Array(3).fill(['GET', '/api/endpoints/query/{q}', 200, null, id]));
    const metrics = await side.service.ctx.metrics.registry.metrics();
    expect(metrics).toContain('logquery_cache_requests_total{endpoint="usage.api-counts",result="hit"} 2');
    expect(side.service.logText()).not.toContain(side.tokens[0]!.slice(12));
  });

  it('may have another trace, request id and tag, and gets its own back', async () => {
    await ask();
    const first = await ask({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, 'X-Request-Id': 'one' });
    const second = await ask({ 'X-Request-Id': 'two', 'If-None-Match': first.headers['etag']! });
    expect(side.known).toBe(2);
    expect([first.headers['x-request-id'], second.headers['x-request-id'], second.status]).toEqual(['one', 'two', 304]);
    expect(first.headers['server-timing']).toContain('a'.repeat(32));
  });

  describe('with a small body', () => {
    const post = (body: string, headers: Record<string, string> = {}) =>
      send(side.service.server, '/api/endpoints/query/usage.api-counts', {
        method: 'POST',
        headers: { 'X-API-KEY': side.tokens[0]!, 'Content-Type': 'application/json', ...headers },
        body,
      });
    const daily = (project: string): string => JSON.stringify({ params: { interval: 'daily', project } });

    it('is known by all of its bytes', async () => {
      const first = [await post(daily('abc')), await post(daily('xyz'))];
      const again = [await post(daily('abc')), await post(daily('xyz'))];
      expect(side.known).toBe(2);
      expect(again.map(({ text }) => text)).toEqual(first.map(({ text }) => text));
      expect(first[0]!.text).not.toBe(first[1]!.text);
    });

    it('is read once, when its result was dropped', async () => {
      await post(daily('abc'));
      await side.service.ctx.queryCache.purge(USAGE.id);
      expect((await post(daily('abc'))).status).toBe(200);
      expect(side.known).toBe(0);
    });

    it('whose body arrived after a change of the saved query gets a result of the new one', async () => {
      const { service, tokens } = side;
      const body = daily('abc');
      const between = async (): Promise<void> => {
        await sleep(50);
        await take(side, { kind: 'define' });
        service.ctx.queryCache.forget(USAGE.id);
      };
      const headers = { 'X-API-KEY': tokens[0]!, 'Content-Type': 'application/json' };
      const slow = await sendInTwoParts(service.server, '/api/endpoints/query/usage.api-counts', {
        headers,
        body,
        between,
      });
      const revisions = [slow, await post(body), await post(body)].map(
        ({ headers }) => Number(headers['svc-endpoint-revision']) - USAGE.revision
      );
      expect(revisions).toEqual([1, 1, 1]);
    });

    it('is refused by the rate of its token', async () => {
      const limited = { 'X-API-KEY': side.tokens[2]! };
      const statuses = [];
      for (let times = 0; times < 6; times += 1) statuses.push((await post(daily('abc'), limited)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    });
  });

  it('is refused when the service is closing', async () => {
    await ask();
    side.service.ctx.lifecycle.startClosing();
    expect((await ask()).status).toBe(503);
  });

  it('with the bootstrap token is always checked, because wrong keys are counted', async () => {
    const server = side.service.server;
    for (let times = 0; times < 2; times += 1) await send(server, CALL, { headers: { 'X-API-KEY': BOOTSTRAP_TOKEN } });
    expect(
      await side.service.ctx.tokens.authenticate(BOOTSTRAP_TOKEN).then((it) => side.service.ctx.tokens.isStillValid(it))
    ).toBe(false);
  });

  it('with a body of a GET is checked completely, for its head may be that of another body', async () => {
    const headers = { 'X-API-KEY': side.tokens[0]!, 'Content-Type': 'application/json' };
    const get = (body: string) => send(side.service.server, CALL, { headers, body });
    expect([(await get('{"pql":"a"}')).status, (await get('{"sql":"a"}')).status]).toEqual([200, 400]);
    expect(side.known).toBe(0);
  });

  it('with another method, path or header is checked completely', async () => {
    await ask();
    await send(side.service.server, CALL, { method: 'HEAD', headers: { 'X-API-KEY': side.tokens[0]! } });
    await send(side.service.server, `${CALL}&a=1`, { headers: { 'X-API-KEY': side.tokens[0]! } });
    await ask({ 'X-Other': '1' });
    await send(side.service.server, CALL, { headers: { 'X-API-KEY': side.tokens[5]! } });
    expect(side.known).toBe(0);
  });
});
