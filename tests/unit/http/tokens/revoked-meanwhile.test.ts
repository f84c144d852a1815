/**
 * A token that is revoked while the body of its request arrives, or while its query runs.
 *
 * @waits
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SCOPES } from '#contract/tokens/token';
import { type RawAnswer, send, sendInTwoParts } from '../../../support/fakes/connection';
import { createTestService, type TestService } from '../../../support/servers/in-memory';
import { writeRevocation } from '../../../support/servers/write-token';

let service: TestService;
beforeEach(() => (service = createTestService()));
afterEach(() => service.close());

interface Case {
  readonly what: string;
  readonly target: string;
  readonly body: string;
  /** Whether it runs a query. */
  readonly isRun?: true;
}

const CASES: readonly Case[] = [
  { what: 'events are not stored', target: '/api/logs?source=edge_requests&project=a', body: '{"message":"a"}' },
  {
    what: 'a call does not run',
    target: '/api/endpoints/query/logs.all',
    body: '{"params":{"project":"a"}}',
    isRun: true,
  },
  {
    what: 'a saved query is not created',
    target: '/api/endpoints',
    body: '{"definition":{"name":"a","query":"select 1 as n"}}',
  },
  {
    what: 'a definition is not tried',
    target: '/api/endpoints/preview',
    isRun: true,
    body: '{"definition":{"name":"a","query":"select 1 as n"}}',
  },
  {
    what: 'a definition is not checked',
    target: '/api/endpoints/validate',
    body: '{"definition":{"id":"00000000-0000-4000-8000-000000000001","name":"a","query":"select 1 as n"}}',
  },
  {
    what: 'a tool does not run',
    target: '/mcp',
    isRun: true,
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_logs","arguments":{"endpoint":"logs.all","sql":"select 1","parameters":{"project":"a"}}}}',
  },
];

/** Longer than a token is trusted without another look. */
const SLOW_MS = 1100;

function sendSlowly(target: string, token: string, body: string, meanwhile: () => void): Promise<RawAnswer> {
  const between = (): Promise<void> => sleep(SLOW_MS).then(meanwhile);
  return sendInTwoParts(service.server, target, {
    headers: { 'X-API-KEY': token, 'Content-Type': 'application/json' },
    body,
    between,
  });
}

it.each(CASES)('$what with a token that was revoked while the body arrived', async ({ target, body }) => {
  const token = service.createToken({ name: 'revoked', scopes: [...SCOPES] });
  const answer = await sendSlowly(target, token, body, () => writeRevocation(service.dataDir, 'revoked'));
  expect([answer.status, answer.json().error.code]).toEqual([401, 'token_invalid']);
  expect(service.engine.asked).toEqual([]);
});

it.each(CASES)('$target takes a slow body with a token that is not revoked', async ({ target, body }) => {
  const token = service.createToken({ name: 'kept', scopes: [...SCOPES] });
  const { status } = await sendSlowly(target, token, body, () => undefined);
  expect(status).toBeLessThan(300);
  expect(service.engine.asked.length).toBeGreaterThan(0);
});

it.each(CASES.filter(({ isRun }) => isRun))(
  '$target gives no rows to a token that was revoked during the run',
  async ({ target, body }) => {
    const token = service.createToken({ name: 'revoked', scopes: [...SCOPES] });
    const { run } = service.engine.answers;
    service.engine.answers.run = async (request, options) => {
      await sleep(SLOW_MS);
      writeRevocation(service.dataDir, 'revoked');
      return run(request, options);
    };
    const headers = { 'X-API-KEY': token, 'Content-Type': 'application/json' };
    const { text } = await send(service.server, target, { method: 'POST', headers, body });
    expect(text).toContain('token_invalid');
    expect(text).not.toContain('"n":1');
  }
);
