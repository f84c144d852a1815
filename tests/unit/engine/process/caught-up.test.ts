/** The time that a query waits for acknowledged events that are not in the tables yet. */
import { setTimeout as delay } from 'node:timers/promises';
import { caughtUp } from '#server/engine/process/caught-up';

const LONGEST_MS = 200;
const never = (): Promise<void> => new Promise(() => undefined);
const outcomeWithin = (work: Promise<unknown>, ms: number): Promise<string> =>
  Promise.race([work.then(() => 'done'), delay(ms, 'waits', { ref: false })]);

it('a query waits for all acknowledged events while the store is not far behind', async () => {
  let finish = (): void => undefined;
  const store = {
    catchUp: () => new Promise<void>((resolve) => (finish = resolve)),
    isCaughtUp: false,
    isFarBehind: false,
  };
  const waiting = caughtUp(store, null, LONGEST_MS);
  expect(await outcomeWithin(waiting, 3 * LONGEST_MS)).toBe('waits');
  finish();
  expect(await outcomeWithin(waiting, 1000)).toBe('done');
});

it('a query waits for nothing when all acknowledged events are readable', async () => {
  await caughtUp({ catchUp: never, isCaughtUp: true, isFarBehind: false });
});

it('a query stops waiting for events after a while when the store is far behind', async () => {
  const from = performance.now();
  await caughtUp({ catchUp: never, isCaughtUp: false, isFarBehind: true }, null, LONGEST_MS);
  expect(performance.now() - from).toBeGreaterThan(LONGEST_MS - 20);
});

it('a waiting query stops waiting when the store falls far behind', async () => {
  const store = { catchUp: never, isCaughtUp: false, isFarBehind: false };
  const waiting = caughtUp(store, null, LONGEST_MS);
  expect(await outcomeWithin(waiting, 3 * LONGEST_MS)).toBe('waits');
  store.isFarBehind = true;
  expect(await outcomeWithin(waiting, 5000)).toBe('done');
});

it('waiting for events ends with the deadline of the call', async () => {
  const reason = new Error('too late');
  await expect(
    caughtUp({ catchUp: never, isCaughtUp: false, isFarBehind: false }, AbortSignal.abort(reason))
  ).rejects.toBe(reason);
  const ending = new AbortController();
  const waiting = caughtUp({ catchUp: never, isCaughtUp: false, isFarBehind: false }, ending.signal);
  ending.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

it('waiting for events fails when the store fails', async () => {
  const reason = new Error('closed');
  await expect(caughtUp({ catchUp: () => Promise.reject(reason), isCaughtUp: false, isFarBehind: false })).rejects.toBe(
    reason
  );
});
