import { CallController, type CallSignal } from '#backend/service-client/calls/call-signal';
import { createSemaphore } from '#backend/service-client/calls/semaphore';
import { readRetryAfter } from '#backend/service-client/failures/service-failure';
import { createSingleFlight } from '#backend/service-client/calls/single-flight';
import { formatLine } from '#backend/plugin-protocol/log';
import { isOlder } from '#backend/services/check-health';

const never = () => new AbortController().signal;

test('equal calls share a run, which goes on when one of them leaves', async () => {
  const flights = createSingleFlight<number>();
  const leaver = new AbortController();
  let starts = 0;
  let inner: CallSignal | undefined;
  let land: (value: number) => void = () => undefined;
  const start = (signal: CallSignal) => {
    starts++;
    inner = signal;
    return new Promise<number>((resolve) => (land = resolve));
  };
  const [first, second] = [flights.run('k', leaver.signal, start), flights.run('k', never(), start)];
  leaver.abort(new Error('canceled'));
  await expect(first).rejects.toThrow('canceled');
  expect(inner!.aborted).toBe(false);
  land(7);
  expect(await second).toBe(7);
  void flights.run('k', never(), start);
  expect(starts).toBe(2);
});

test('a run whose callers have all left is aborted, and not joined any more', async () => {
  const flights = createSingleFlight<number>();
  const leaver = new AbortController();
  const signals: CallSignal[] = [];
  const start = (signal: CallSignal) => {
    signals.push(signal);
    return new Promise<number>(() => undefined);
  };
  const first = flights.run('k', leaver.signal, start);
  leaver.abort(new Error('canceled'));
  await expect(first).rejects.toThrow('canceled');
  void flights.run('k', never(), start);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
});

test('a call ends once, with its first reason, for those who still listen', () => {
  const call = new CallController();
  const ends: string[] = [];
  const [stays, leaves] = [() => ends.push('stays'), () => ends.push('leaves')];
  call.addEventListener('abort', stays);
  call.addEventListener('abort', leaves);
  call.removeEventListener('abort', leaves);

  call.abort();
  call.abort(new Error('again'));

  expect(ends).toEqual(['stays']);
  expect(call).toMatchObject({ aborted: true, reason: { name: 'AbortError' } });
});

test('never more permits than there are, and a caller who leaves gives up waiting', async () => {
  const semaphore = createSemaphore(2);
  const leaver = new AbortController();
  const granted: string[] = [];
  const acquire = async (name: string, signal: AbortSignal): Promise<void> => {
    await semaphore.acquire(signal);
    granted.push(name);
  };
  const [first, second] = [semaphore.acquire(never()), semaphore.acquire(never())];
  const [left, next] = [acquire('left', leaver.signal), acquire('next', never())];
  expect([first, second]).toEqual([undefined, undefined]);

  leaver.abort(new Error('canceled'));
  await expect(left).rejects.toThrow('canceled');
  expect(granted).toEqual([]);
  semaphore.release();
  await next;

  expect(granted).toEqual(['next']);
  semaphore.release();
  semaphore.release();
  expect(semaphore.acquire(never())).toBeUndefined();
  expect(() => semaphore.acquire(leaver.signal)).toThrow('canceled');
});

test('a permit goes to urgent calls first, in the order in which they came', async () => {
  const semaphore = createSemaphore(1);
  const granted: string[] = [];
  void semaphore.acquire(never());
  const calls = ['panel', 'rule', 'second panel', 'second rule'].map(async (name) => {
    const isUrgent = name.endsWith('rule');
    await semaphore.acquire(never(), isUrgent);
    granted.push(name);
    semaphore.release(isUrgent);
  });
  semaphore.release();
  await Promise.all(calls);
  expect(granted).toEqual(['rule', 'second rule', 'panel', 'second panel']);
});

test('more urgent calls than permits leave a quarter of the permits to other calls', async () => {
  const semaphore = createSemaphore(8);
  const running: boolean[] = [];
  const acquire = async (isUrgent: boolean): Promise<void> => {
    await semaphore.acquire(never(), isUrgent);
    running.push(isUrgent);
  };
  const releaseOldest = async (): Promise<void> => {
    semaphore.release(running.shift());
    await Promise.resolve();
    await Promise.resolve();
  };
  const calls = [
    ...Array.from({ length: 40 }, () => acquire(true)),
    ...Array.from({ length: 6 }, () => acquire(false)),
  ];
  await Promise.resolve();
  expect(running).toEqual(Array(8).fill(true));

  await releaseOldest();
  await releaseOldest();
  expect(running.filter((isUrgent) => !isUrgent)).toHaveLength(2);
  for (let released = 0; released < 16; released++) {
    await releaseOldest();
    expect(running.filter((isUrgent) => !isUrgent)).toHaveLength(2);
  }

  for (let released = 0; released < 28; released++) await releaseOldest();
  await Promise.all(calls);
  expect(running).toEqual([]);
});

test('Retry-After may be seconds or a date', () => {
  const now = Date.parse('2026-03-17T10:00:00Z');
  expect(readRetryAfter('7', now)).toBe(7);
  expect(readRetryAfter('Tue, 17 Mar 2026 10:00:30 GMT', now)).toBe(30);
  expect(readRetryAfter('soon', now)).toBeUndefined();
});

test('a log line is one line of JSON of limited size, for anything that is logged', () => {
  const big = 'x'.repeat(200_000);
  for (const message of [{ a: 1 }, 42, undefined, 'two\nlines', big]) {
    const line = formatLine('info', message, { '@message': 'forged', field: big, n: 1 }, new Date(0));
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(Buffer.byteLength(line)).toBeLessThan(65_536);
    const entry = JSON.parse(line) as Record<string, unknown>;
    expect(typeof entry['@message']).toBe('string');
    expect(entry['@message']).not.toBe('forged');
  }
});

test('versions are compared number by number', () => {
  const pairs: [string, string][] = [
    ['0.1.0', '0.1.0'],
    ['0.0.9', '0.1.0'],
    ['0.10.0', '0.9.0'],
    ['1.0.0-beta', '0.1.0'],
    ['0.1', '0.1.1'],
  ];
  expect(pairs.map(([version, than]) => isOlder(version, than))).toEqual([false, true, false, false, true]);
});
