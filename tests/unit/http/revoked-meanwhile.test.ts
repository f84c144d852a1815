/**
 * A token that is revoked while the body of its request arrives.
 *
 * @waits
 */
import { SCOPES } from '#contract/tokens/token';
import { connect, parseAnswer, type RawAnswer } from '../../support/fakes/connection';
import { createTestService, type TestService } from '../../support/servers/in-memory';
import { writeRevocation } from '../../support/servers/write-token';

let service: TestService;
beforeEach(() => (service = createTestService()));
afterEach(() => service.close());

const CASES = [
  { what: 'events are not stored', target: '/api/logs?source=edge_requests&project=a', body: '{"message":"a"}' },
  {
    what: 'a call does not run',
    target: '/api/endpoints/query/logs.all',
    body: '{"params":{"project":"a"}}',
  },
  {
    what: 'a saved query is not created',
    target: '/api/endpoints',
    body: '{"definition":{"name":"a","query":"select 1 as n"}}',
  },
  {
    what: 'a definition is not tried',
    target: '/api/endpoints/preview',
    body: '{"definition":{"name":"a","query":"select 1 as n"}}',
  },
  {
    what: 'a tool does not run',
    target: '/mcp',
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_logs","arguments":{"endpoint":"logs.all","sql":"select 1","parameters":{"project":"a"}}}}',
  },
] as const;

/** Sends the head and a part of the body, then the rest after `meanwhile`. */
async function sendSlowly(target: string, token: string, body: string, meanwhile: () => void): Promise<RawAnswer> {
  const head = [
    `POST ${target} HTTP/1.1`,
    'Host: test',
    'Connection: close',
    `X-API-KEY: ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  const connection = connect(service.server);
  const received: Buffer[] = [];
  connection.on('data', (part: Buffer) => received.push(part));
  const ended = new Promise((resolve) => connection.once('end', resolve));
  connection.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 3)}`);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  meanwhile();
  connection.write(body.slice(3));
  await ended;
  return parseAnswer(Buffer.concat(received));
}

it.each(CASES)('$what with a token that was revoked while the body arrived', async ({ target, body }) => {
  const token = service.createToken({ name: 'gone', scopes: [...SCOPES] });
  const answer = await sendSlowly(target, token, body, () => writeRevocation(service.dataDir, 'gone'));
  expect([answer.status, answer.json().error.code]).toEqual([401, 'token_invalid']);
  expect(service.engine.asked).toEqual([]);
});

it.each(CASES)('$target takes a slow body with a token that is not revoked', async ({ target, body }) => {
  const token = service.createToken({ name: 'kept', scopes: [...SCOPES] });
  const { status } = await sendSlowly(target, token, body, () => undefined);
  expect(status).toBeLessThan(300);
  expect(service.engine.asked.length).toBeGreaterThan(0);
});
