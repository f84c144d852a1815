import fc from 'fast-check';
import { createRunSemaphore } from '#server/engine/process/run-semaphore';

const never = new AbortController().signal;

test('waiting runs get permits in the order of arrival', async () => {
  const permits = createRunSemaphore(1, 1);
  const release = await permits.acquire(false, never);
  const order: number[] = [];
  const waiting = [1, 2, 3].map(async (number) => {
    const releaseOwn = await permits.acquire(false, never);
    order.push(number);
    releaseOwn();
  });
  expect(permits).toMatchObject({ running: 1, waiting: 3 });
  release();
  await Promise.all(waiting);
  expect(order).toEqual([1, 2, 3]);
  expect(permits).toMatchObject({ running: 0, waiting: 0 });
});

test('a run that gives up while it waits takes no permit', async () => {
  const permits = createRunSemaphore(1, 1);
  const release = await permits.acquire(false, never);
  const giveUp = new AbortController();
  const waiting = permits.acquire(false, giveUp.signal);
  const next = permits.acquire(false, never);
  giveUp.abort(new Error('tired'));
  await expect(waiting).rejects.toThrow('tired');
  release();
  (await next)();
  expect(permits).toMatchObject({ running: 0, waiting: 0 });
});

test('a run that was aborted before it waits gets no permit', async () => {
  await expect(createRunSemaphore(1, 1).acquire(false, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
});

test('releasing a permit twice frees one permit', async () => {
  const permits = createRunSemaphore(1, 1);
  const release = await permits.acquire(false, never);
  release();
  release();
  await permits.acquire(false, never);
  expect(permits.running).toBe(1);
});

test('never more runs than permits, and each run gets its turn', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.record({ gaps: fc.integer({ min: 0, max: 4 }), givesUp: fc.boolean() }), { maxLength: 30 }),
      async (count, callers) => {
        const permits = createRunSemaphore(count, count);
        let running = 0;
        let most = 0;
        const runs = callers.map(async ({ gaps, givesUp }) => {
          const abort = new AbortController();
          const acquired = permits.acquire(false, abort.signal);
          if (givesUp) abort.abort(new Error('gave up'));
          const release = await acquired.catch(() => null);
          if (!release) return;
          running += 1;
          most = Math.max(most, running);
          for (let gap = 0; gap < gaps; gap += 1) await Promise.resolve();
          running -= 1;
          release();
        });
        await Promise.all(runs);
        expect(most).toBeLessThanOrEqual(count);
        expect(permits).toMatchObject({ running: 0, waiting: 0 });
      }
    )
  );
});

test('ad-hoc runs leave permits for saved queries, and saved queries overtake waiting ad-hoc runs', async () => {
  const permits = createRunSemaphore(2, 1);
  const releaseAdhoc = await permits.acquire(true, never);
  const secondAdhoc = permits.acquire(true, never);
  const releaseSaved = await permits.acquire(false, never);
  const secondSaved = permits.acquire(false, never);
  expect(permits).toMatchObject({ running: 2, waiting: 2 });
  releaseSaved();
  const releaseSecondSaved = await secondSaved;
  expect(permits).toMatchObject({ running: 2, waiting: 1 });
  releaseAdhoc();
  (await secondAdhoc)();
  releaseSecondSaved();
  expect(permits).toMatchObject({ running: 0, waiting: 0 });
});
