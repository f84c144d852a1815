import fc from 'fast-check';
import { createRunQueue } from '#server/engine/process/run-queue';

const never = new AbortController().signal;

test('waiting runs get permits in the order of arrival', async () => {
  const queue = createRunQueue(1, 1);
  const leave = await queue.enter(false, never);
  const order: number[] = [];
  const waiting = [1, 2, 3].map(async (number) => {
    const leaveOwn = await queue.enter(false, never);
    order.push(number);
    leaveOwn();
  });
  expect(queue).toMatchObject({ running: 1, waiting: 3 });
  leave();
  await Promise.all(waiting);
  expect(order).toEqual([1, 2, 3]);
  expect(queue).toMatchObject({ running: 0, waiting: 0 });
});

test('a run that gives up while it waits takes no permit', async () => {
  const queue = createRunQueue(1, 1);
  const leave = await queue.enter(false, never);
  const giveUp = new AbortController();
  const waiting = queue.enter(false, giveUp.signal);
  const next = queue.enter(false, never);
  giveUp.abort(new Error('tired'));
  await expect(waiting).rejects.toThrow('tired');
  leave();
  (await next)();
  expect(queue).toMatchObject({ running: 0, waiting: 0 });
});

test('a run that was aborted before it waits gets no permit', async () => {
  await expect(createRunQueue(1, 1).enter(false, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
});

test('releasing a permit twice frees one permit', async () => {
  const queue = createRunQueue(1, 1);
  const leave = await queue.enter(false, never);
  leave();
  leave();
  await queue.enter(false, never);
  expect(queue.running).toBe(1);
});

test('never more runs than permits, and each run gets its turn', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.record({ gaps: fc.integer({ min: 0, max: 4 }), givesUp: fc.boolean() }), { maxLength: 30 }),
      async (places, visitors) => {
        const queue = createRunQueue(places, places);
        let inside = 0;
        let most = 0;
        const visits = visitors.map(async ({ gaps, givesUp }) => {
          const abort = new AbortController();
          const entered = queue.enter(false, abort.signal);
          if (givesUp) abort.abort(new Error('gave up'));
          const leave = await entered.catch(() => null);
          if (!leave) return;
          inside += 1;
          most = Math.max(most, inside);
          for (let gap = 0; gap < gaps; gap += 1) await Promise.resolve();
          inside -= 1;
          leave();
        });
        await Promise.all(visits);
        expect(most).toBeLessThanOrEqual(places);
        expect(queue).toMatchObject({ running: 0, waiting: 0 });
      }
    )
  );
});

test('ad-hoc runs leave permits for saved queries, and saved queries overtake waiting ad-hoc runs', async () => {
  const queue = createRunQueue(2, 1);
  const leaveAdhoc = await queue.enter(true, never);
  const secondAdhoc = queue.enter(true, never);
  const leaveSaved = await queue.enter(false, never);
  const secondSaved = queue.enter(false, never);
  expect(queue).toMatchObject({ running: 2, waiting: 2 });
  leaveSaved();
  const leaveSecondSaved = await secondSaved;
  expect(queue).toMatchObject({ running: 2, waiting: 1 });
  leaveAdhoc();
  (await secondAdhoc)();
  leaveSecondSaved();
  expect(queue).toMatchObject({ running: 0, waiting: 0 });
});
