/** `lqe mcp` answers what has arrived before its standard input ends, and waits for nothing else. */
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { DrainingTransport } from '#server/cli/mcp/draining-transport';

const request = (id: number, method: string) => ({ jsonrpc: '2.0', id, method });
const cancel = (requestId: number) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
const answer = (id: number) => ({ jsonrpc: '2.0' as const, id, result: {} });

async function open(messages: readonly object[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new DrainingTransport(input, output);
  const state = { isClosed: false };
  transport.onclose = () => (state.isClosed = true);
  await transport.start();
  input.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  // The input has ended, and was closed, after a few turns.
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  return { transport, state, output };
}

it('it closes after the last answer', async () => {
  const { transport, state, output } = await open([request(1, 'tools/list'), request(2, 'tools/call')]);
  await transport.send(answer(2));
  expect(state.isClosed).toBe(false);
  await transport.send(answer(1));
  await setImmediate();
  expect(state.isClosed).toBe(true);
  expect(String(output.read())).toBe(`${JSON.stringify(answer(2))}\n${JSON.stringify(answer(1))}\n`);
});

it.each([
  ['no request', []],
  ['a canceled request', [request(1, 'tools/call'), cancel(1)]],
  ['a subscription, which has no answer before the end', [request(1, 'subscriptions/listen')]],
])('it closes at once after %s', async (_name, messages) => {
  expect((await open(messages)).state.isClosed).toBe(true);
});

it('it closes when its output is broken', async () => {
  const { state, output } = await open([request(1, 'tools/call')]);
  expect(state.isClosed).toBe(false);
  output.destroy(new Error('EPIPE'));
  await setImmediate();
  expect(state.isClosed).toBe(true);
});
