/** Calls that share a run were all admitted before its result was there. */
import type { Duplex } from 'node:stream';
import { connect } from '../../../support/fakes/connection';
import { jsonResult } from '../../../support/fakes/engine';
import { settle } from '../../../support/fakes/clock';
import { BOOTSTRAP_TOKEN, createTestService, type TestService, USAGE } from '../../../support/servers/in-memory';

const RESULT_BYTES = 200_000;
const LIMIT = 1_000_000;
const CALLERS = 40;

let service: TestService;
beforeEach(() => (service = createTestService({ settings: { LQE_MAX_UNREAD_BYTES_PER_TOKEN: String(LIMIT) } })));
afterEach(() => service.close());

/** A call whose client reads nothing. The facts about the cache make its body different from that of equal calls. */
function callUnread(): Duplex {
  const connection = connect(service.server);
  const target = `/api/endpoints/query/${USAGE.name}?interval=daily&project=abc`;
  connection.write(
    `GET ${target} HTTP/1.1\r\nHost: t\r\nX-API-KEY: ${BOOTSTRAP_TOKEN}\r\nSVC-ENDPOINT-META: true\r\n\r\n`
  );
  return connection;
}

it('unread results of one run with facts about the cache take no more memory than a token may', async () => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  service.engine.answers.run = async (request) => {
    await ended;
    return jsonResult(request, [{ text: 'x'.repeat(RESULT_BYTES) }]);
  };
  const connections = Array.from({ length: CALLERS }, callUnread);
  await settle();
  end();
  while (service.ctx.unreadResponses.bytes === 0) await new Promise(setImmediate);
  await settle();
  expect(service.ctx.unreadResponses.bytes).toBeLessThan(LIMIT + 2 * RESULT_BYTES);
  const refused = service.log.filter(({ code }) => code === 'concurrency_limited');
  expect(refused).toHaveLength(CALLERS - Math.ceil(LIMIT / RESULT_BYTES));
  for (const connection of connections) connection.destroy();
});
