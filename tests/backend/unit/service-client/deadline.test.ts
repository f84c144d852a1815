import { getEventListeners } from 'node:events';
import { sleepUntil, startDeadline } from '#backend/service-client/calls/deadline';

test('a request ends with the reason of its caller, before and while it runs', () => {
  const left = new AbortController();
  left.abort(new Error('left before'));
  const caller = new AbortController();
  const [before, running] = [startDeadline(left.signal, 60_000), startDeadline(caller.signal, 60_000)];
  const ends: string[] = [];
  running.onEnd = (reason) => ends.push(reason.message);

  caller.abort(new Error('left while it ran'));

  expect([before, running].map(({ reason }) => reason?.message)).toEqual(['left before', 'left while it ran']);
  expect(ends).toEqual(['left while it ran']);
  before.release();
  running.release();
});

test('a request ends with a TimeoutError when its time is up', async () => {
  const deadline = startDeadline(new AbortController().signal, 5);
  const reason = await new Promise((resolve) => (deadline.onEnd = resolve));
  expect(reason).toMatchObject({ name: 'TimeoutError' });
  expect(deadline.reason).toBe(reason);
  deadline.release();
});

test('a request that has timed out keeps its reason when the caller leaves', async () => {
  const caller = new AbortController();
  const deadline = startDeadline(caller.signal, 5);
  const reasons: string[] = [];
  await new Promise<void>((resolve) => {
    deadline.onEnd = ({ name }) => {
      reasons.push(name);
      resolve();
    };
  });
  caller.abort(new Error('left'));
  expect(reasons).toEqual(['TimeoutError']);
  expect(deadline.reason).toMatchObject({ name: 'TimeoutError' });
  deadline.release();
});

test('a request that has ended leaves no timer and no listener', async () => {
  const caller = new AbortController();
  const deadline = startDeadline(caller.signal, 5);

  deadline.release();
  caller.abort();
  await new Promise((resolve) => setTimeout(resolve, 30));

  expect(deadline.reason).toBeUndefined();
  expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
});

test('a request waits before it is sent again, and no longer than its caller', async () => {
  const caller = new AbortController();
  const deadline = startDeadline(caller.signal, 60_000);
  await sleepUntil(deadline, 1);
  expect(deadline.onEnd).toBeUndefined();
  const waiting = sleepUntil(deadline, 60_000);
  caller.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  await expect(sleepUntil(deadline, 1)).rejects.toThrow('left');
  deadline.release();
});
