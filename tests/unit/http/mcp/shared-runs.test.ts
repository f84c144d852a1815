/** Calls of agents that share a run. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextPass } from 'node:timers/promises';
import { BOOTSTRAP_PRINCIPAL } from '#server/catalog/tokens/principal';
import { readRows } from '#server/http/mcp/tools/read-rows';
import { setRequestFacts } from '#server/http/request/request-facts';
import { createTestService, type TestService, USAGE } from '../../../support/servers/in-memory';

let service: TestService;
beforeEach(() => (service = createTestService()));
afterEach(() => service.close());

const ENTRIES = [
  ['interval', 'daily'],
  ['project', 'abc'],
] as const;

function read(signal: AbortSignal): ReturnType<typeof readRows> {
  const req = {} as IncomingMessage;
  setRequestFacts(req, { id: 'r', traceId: 't', startedAtMs: performance.now() });
  const caller = { principal: BOOTSTRAP_PRINCIPAL, tenant: null, path: { q: '', ref: '', format: '', index: '' } };
  const call = { ctx: service.ctx, req, res: {} as ServerResponse, ...caller, signal };
  return readRows(call as unknown as Parameters<typeof readRows>[0], {
    definition: USAGE,
    adhoc: null,
    entries: ENTRIES,
  });
}

it('their rows are parsed in turns, so that other requests are served between', async () => {
  const steps: string[] = [];
  const { signal } = new AbortController();
  const calls = Array.from({ length: 5 }, () => read(signal).then(() => steps.push('rows')));
  let isDone = false;
  const done = Promise.all(calls).then(() => (isDone = true));
  while (!isDone) {
    await nextPass();
    steps.push('pass');
  }
  await done;
  expect(service.engine.asked).toHaveLength(1);
  expect(steps.filter((step, index) => step === 'rows' && steps[index - 1] === 'rows')).toEqual([]);
});

it('the result of a run is small enough to be parsed on the thread of the server', async () => {
  await read(new AbortController().signal);
  expect(service.engine.asked[0]).toMatchObject({ request: { maxBytes: 1_048_576 } });
});

it('the rows of a canceled call are not parsed', async () => {
  const client = new AbortController();
  const run = service.engine.answers.run;
  service.engine.answers.run = (request, options) => {
    setImmediate(() => client.abort(new Error('canceled')));
    return run(request, options);
  };
  await expect(read(client.signal)).rejects.toThrow('canceled');
});
