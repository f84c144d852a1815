import { getEventListeners } from 'node:events';
import { startDeadline } from '#backend/service-client/deadline';

test('a request ends with the reason of its caller, before and while it runs', () => {
  const left = new AbortController();
  left.abort(new Error('left before'));
  const caller = new AbortController();
  const [before, running] = [startDeadline(left.signal, 60_000), startDeadline(caller.signal, 60_000)];

  caller.abort(new Error('left while it ran'));

  expect([before, running].map(({ signal }) => (signal.reason as Error).message)).toEqual([
    'left before',
    'left while it ran',
  ]);
  before.release();
  running.release();
});

test('a request ends with a TimeoutError when its time is up', async () => {
  const { signal, release } = startDeadline(new AbortController().signal, 5);
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  release();
});

test('a request that has ended leaves no timer and no listener', async () => {
  const caller = new AbortController();
  const { signal, release } = startDeadline(caller.signal, 5);

  release();
  caller.abort();
  await new Promise((resolve) => setTimeout(resolve, 30));

  expect(signal.aborted).toBe(false);
  expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
});
