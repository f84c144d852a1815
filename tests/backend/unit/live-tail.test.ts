import { tableToIPC, Table, Utf8, vectorFromArray } from 'apache-arrow';
import type { Instance } from '#backend/instances/instance';
import type { StreamPacket } from '#backend/proto/messages';
import { PluginError } from '#backend/service-client/failures/plugin-error';
import type { QueryCall } from '#backend/service-client/service-client';
import type { BackendContext } from '#backend/services/backend-context';
import { runStream, type StreamCall } from '#backend/services/live-tail';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/**
 * A tail of a service that has a new event for each call.
 *
 * @param batches ids of the events of each call, newest first
 */
function startTail({
  refuses = [] as readonly string[],
  batches = [] as ReadonlyArray<readonly string[]>,
  maxRows = 10,
  aheadMs = 0,
  fails = false,
} = {}) {
  const reader = {
    calls: 0,
    packets: 0,
    from: '',
    text: '',
    stores: true,
    takes: (): void => undefined,
    leaves: (): void => undefined,
  };
  const instance = {
    options: {},
    settings: { forwardsLogin: false, keptCookies: [] },
    scrub: (text: string) => text,
    query: async ({ params, noStore = false }: QueryCall) => {
      const unknown = refuses.find((name) => name in params);
      if (fails) throw new PluginError('unreachable', 'Not there.', { status: 502 });
      if (unknown !== undefined) throw new PluginError('parameter_unknown', `No ${unknown}.`, { status: 400 });
      const call = reader.calls++;
      reader.stores = !noStore;
      reader.from = params['iso_timestamp_start'] ?? '';
      const ids = batches[call] ?? [`${call}`];
      const event = {
        id: vectorFromArray(ids, new Utf8()),
        timestamp: vectorFromArray(ids.map(() => new Date())),
        event_message: vectorFromArray(ids, new Utf8()),
      };
      const dateMs = Math.floor((Date.now() + aheadMs) / 1000) * 1000;
      return { arrow: tableToIPC(new Table(event), 'stream'), dateMs };
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
  const data = Buffer.from(JSON.stringify({ refId: 'B', endpoint: { name: 'logs.all' }, maxRows }));
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
  expect(reader).toMatchObject({ calls: 2, packets: 2, stores: false });
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

test.each([
  ['lines', {}],
  ['a failure', { fails: true }],
])('frames of %s have the name of the query in Explore', async (_name, options) => {
  const { reader, ended } = startTail(options);
  await jest.advanceTimersByTimeAsync(1);
  expect(JSON.parse(reader.text)).toMatchObject({ schema: { refId: 'B' } });
  reader.leaves();
  await ended;
});

test('a saved query that refuses parameters which it does not declare gets no time bound', async () => {
  const { reader, ended } = startTail({ refuses: ['iso_timestamp_start'] });
  await jest.advanceTimersByTimeAsync(1);
  expect(reader).toMatchObject({ calls: 1, packets: 1, text: expect.stringContaining('"name":"body"') });
  reader.leaves();
  await ended;
});

test('a cut result without a line that was sent before has a notice from then on, and a field that makes it known', async () => {
  const batches = [['b', 'a', 'old'], ['d', 'b', 'a'], ['g', 'f', 'e'], ['h'], ['h']];
  const { reader, ended } = startTail({ batches, maxRows: 2 });
  const seen: unknown[] = [];
  for (let poll = 0; poll < 4; poll++) {
    await jest.advanceTimersByTimeAsync(1);
    const { schema, data } = JSON.parse(reader.text) as {
      schema: { meta: { notices?: Array<{ text: string }> }; fields: Array<{ name: string }> };
      data: { values: unknown[][] };
    };
    const at = (name: string) => schema.fields.findIndex((field) => field.name === name);
    const isKnown = schema.meta.notices?.some(({ text }) => text.startsWith('2 new lines came at once')) ?? false;
    seen.push([data.values[at('id')], isKnown, at('tail_gap') >= 0]);
    reader.takes();
    await jest.advanceTimersByTimeAsync(2_000);
  }
  reader.leaves();
  await ended;
  expect(seen).toEqual([
    [['a', 'b'], false, false],
    [['d'], false, false],
    [['f', 'g'], true, true],
    [['h'], true, true],
  ]);
});

test.each([-3_600_000, -60_000, -1_000, 0, 500, 60_000, 3_600_000])(
  'a service whose clock is ahead by %s ms is asked for the last ten seconds by its own clock',
  async (aheadMs) => {
    const { reader, ended } = startTail({ aheadMs });
    await jest.advanceTimersByTimeAsync(1);
    reader.takes();
    const firstMs = Date.now() + aheadMs;
    await jest.advanceTimersByTimeAsync(2_000);
    reader.leaves();
    await ended;
    const overlapMs = firstMs - Date.parse(reader.from);
    expect(reader.calls).toBe(2);
    expect(overlapMs).toBeGreaterThanOrEqual(10_000);
    expect(overlapMs).toBeLessThanOrEqual(11_001);
  }
);

test('lines that are equal are sent as often as they are there', async () => {
  const { reader, ended } = startTail({
    batches: [
      ['a', 'a'],
      ['a', 'a', 'a'],
      ['b', 'a', 'a', 'a'],
    ],
  });
  const seen: unknown[] = [];
  for (let poll = 0; poll < 3; poll++) {
    await jest.advanceTimersByTimeAsync(1);
    const { schema, data } = JSON.parse(reader.text) as {
      schema: { fields: Array<{ name: string }> };
      data: { values: unknown[][] };
    };
    seen.push(data.values[schema.fields.findIndex(({ name }) => name === 'id')]);
    reader.takes();
    await jest.advanceTimersByTimeAsync(2_000);
  }
  reader.leaves();
  await ended;
  expect(seen).toEqual([['a', 'a'], ['a'], ['b']]);
});
