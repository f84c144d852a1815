/** Results that the clients of a token do not read. Their calls were admitted before any result was there. */
import type { Duplex } from 'node:stream';
import { setImmediate as nextPass } from 'node:timers/promises';
import { connect } from '../../../support/fakes/connection';
import { jsonResult } from '../../../support/fakes/engine';
import { settle } from '../../../support/fakes/clock';
import { BOOTSTRAP_TOKEN, createTestService, LOGS, type TestService, USAGE } from '../../../support/servers/in-memory';

const RESULT_BYTES = 200_000;
const LIMIT = 1_000_000;
const CALLERS = 40;
/** As many as may run or wait at once. */
const WAITING = 20;

let service: TestService;
beforeEach(() => (service = createTestService({ settings: { LQE_MAX_UNREAD_BYTES_PER_TOKEN: String(LIMIT) } })));
afterEach(() => service.close());

const SHARED = `/api/endpoints/query/${USAGE.name}?interval=daily&project=abc`;
const OWN = `/api/endpoints/query/${LOGS.name}?project=abc`;

/** A call whose client reads nothing. The facts about the cache make its body different from that of equal calls. */
function callUnread(target: string, body = ''): Duplex {
  const connection = connect(service.server);
  const headers = `Host: t\r\nX-API-KEY: ${BOOTSTRAP_TOKEN}\r\nSVC-ENDPOINT-META: true\r\n`;
  const announced = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const head = body === '' ? `GET ${target} HTTP/1.1\r\n` : `POST ${target} HTTP/1.1\r\n${announced}`;
  connection.write(`${head}${headers}\r\n${body}`);
  return connection;
}

it('unread results of one run with facts about the cache take no more memory than a token may', async () => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  service.engine.answers.run = async (request) => {
    await ended;
    return jsonResult(request, [{ text: 'x'.repeat(RESULT_BYTES) }]);
  };
  const connections = Array.from({ length: CALLERS }, () => callUnread(SHARED));
  await settle();
  end();
  while (service.ctx.unreadResponses.bytes === 0) await nextPass();
  await settle();
  expect(service.ctx.unreadResponses.bytes).toBeLessThan(LIMIT + 2 * RESULT_BYTES);
  const refused = service.log.filter(({ code }) => code === 'concurrency_limited');
  expect(refused).toHaveLength(CALLERS - Math.ceil(LIMIT / RESULT_BYTES));
  for (const connection of connections) connection.destroy();
});

it.each([
  ['calls', OWN, ''],
  ['previews', '/api/endpoints/preview', '{"definition":{"name":"a","query":"select 1 as n"}}'],
])('waiting %s do not run once their token has too much unread', async (_what, target, body) => {
  service.engine.answers.run = async (request) => {
    await nextPass();
    return jsonResult(request, [{ text: 'x'.repeat(RESULT_BYTES) }]);
  };
  const connections = Array.from({ length: WAITING }, () => callUnread(target, body));
  while (service.ctx.runPermits.running > 0 || service.engine.asked.length === 0) await nextPass();
  await settle();
  const running = service.ctx.config.runPermits.maxRunningPerToken;
  expect(service.ctx.unreadResponses.bytes).toBeLessThan(LIMIT + (running + 1) * RESULT_BYTES);
  for (const connection of connections) connection.destroy();
});
