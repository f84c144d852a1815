/** One attempt to store a batch of syslog messages. */
import { getEventListeners } from 'node:events';
import { Semaphore } from '#server/admission/semaphore';
import { storeBatch, type StoreParts } from '#server/ingest/syslog/events/store-batch';

/** Node prints a warning of a leak for a signal with more than ten listeners. */
test('batches of many listeners that wait for a permit share no signal', async () => {
  const permits = new Semaphore({
    maxRunning: 1,
    maxRunningPerToken: 1,
    maxRunningAdhoc: 1,
    maxRunningChecks: 1,
    maxRunningBackground: 1,
    maxWaiting: 32,
    maxWaitingPerToken: 32,
  });
  const signals: AbortSignal[] = [];
  const acquire: Semaphore['acquire'] = (request) => {
    signals.push(request.signal);
    return permits.acquire(request);
  };
  const parts = {
    ctx: {
      config: { ingest: { timeoutMs: 50 } },
      clock: { nowMicros: () => 0 },
      ingestPermits: { acquire },
      engine: { call: () => new Promise(() => undefined) },
    },
    source: { name: 'logs' },
    tenant: null,
  };
  const batch = { lines: [Buffer.from('{}')], name: 'a', firstIndex: 0 };
  const stores = Array.from({ length: 13 }, (_, at) =>
    storeBatch({ ...parts, owner: `listener ${at}` } as unknown as StoreParts, batch)
  );
  expect(Math.max(...signals.map((signal) => getEventListeners(signal, 'abort').length))).toBe(1);
  expect(permits.waiting).toBe(12);
  const ends = await Promise.allSettled(stores.slice(1));
  expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['rejected']));
});
