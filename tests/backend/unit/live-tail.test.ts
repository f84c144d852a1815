import { tableToIPC, Table, Utf8, vectorFromArray } from 'apache-arrow';
import type { Instance } from '#backend/instances/instance';
import type { StreamPacket } from '#backend/proto/messages';
import { PluginError } from '#backend/service-client/failures/plugin-error';
import type { QueryCall } from '#backend/service-client/service-client';
import type { BackendContext } from '#backend/services/backend-context';
import { runStream, type StreamCall } from '#backend/services/live-tail';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A tail of a service that has a new event for each call. */
function startTail({ refuses = [] as readonly string[] } = {}) {
  const reader = { calls: 0, packets: 0, text: '', takes: (): void => undefined, leaves: (): void => undefined };
  const instance = {
    options: {},
    settings: { forwardsLogin: false, keptCookies: [] },
    scrub: (text: string) => text,
    query: async ({ params }: QueryCall) => {
      const unknown = refuses.find((name) => name in params);
      if (unknown !== undefined) throw new PluginError('parameter_unknown', `No ${unknown}.`, { status: 400 });
      const text = (value: string) => vectorFromArray([value], new Utf8());
      const event = {
        id: text(`${reader.calls++}`),
        timestamp: vectorFromArray([new Date()]),
        event_message: text('x'),
      };
      return { arrow: tableToIPC(new Table(event), 'stream') };
    },
  };
  const backend = {
    instances: { get: () => instance as unknown as Instance },
    logger: { log: () => undefined },
    metrics: { streamStarted: () => () => undefined },
    now: Date.now,
  };
  const call = {
    metadata: { get: () => [] },
    cancelled: false,
    on: (_event: string, listener: () => void) => (reader.leaves = listener),
    write: ({ data: packet }: StreamPacket, sent: () => void) => {
      reader.packets++;
      reader.text = String(packet);
      reader.takes = sent;
    },
  };
  const data = Buffer.from(JSON.stringify({ endpoint: { name: 'logs.all' } }));
  const request = { pluginContext: null, path: 'tail/a', data, headers: {} };
  const ended = runStream(backend as unknown as BackendContext, request, call as unknown as StreamCall);
  return { reader, ended };
}

test('a reader that stands still gets no more packets until it has taken the one before', async () => {
  const { reader, ended } = startTail();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(reader).toMatchObject({ calls: 1, packets: 1 });
  reader.takes();
  await jest.advanceTimersByTimeAsync(3_000);
  expect(reader).toMatchObject({ calls: 2, packets: 2 });
  reader.leaves();
  await ended;
});

test('a tail ends at once when its reader leaves, while it rests and while it sends', async () => {
  const { reader, ended } = startTail();
  await jest.advanceTimersByTimeAsync(1);
  reader.takes();
  await jest.advanceTimersByTimeAsync(1);
  reader.leaves();
  await ended;
  expect(jest.getTimerCount()).toBe(0);
});

test('a saved query that refuses parameters which it does not declare gets no time bound', async () => {
  const { reader, ended } = startTail({ refuses: ['iso_timestamp_start'] });
  await jest.advanceTimersByTimeAsync(1);
  expect(reader).toMatchObject({ calls: 1, packets: 1, text: expect.stringContaining('"name":"body"') });
  reader.leaves();
  await ended;
});
