import { createSlots } from '#server/http/slots';

const LIMITS = { maxRunning: 2, maxRunningPerToken: 1, maxWaiting: 2, maxWaitingPerToken: 2 };
const NEVER = new AbortController().signal;
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'in',
    (error: { code?: string; message: string }) => error.code ?? error.message
  );

it('lets as many in as there are places, and the next when one leaves', async () => {
  const slots = createSlots(LIMITS);
  const leaveA = await slots.enter('a', 1000, NEVER);
  await slots.enter('b', 1000, NEVER);
  const waiting = slots.enter('c', 1000, NEVER);
  expect(slots.running).toBe(2);
  leaveA();
  leaveA();
  await waiting;
  expect(slots.running).toBe(2);
});

it('passes over those whose owner has its places, and does not forget them', async () => {
  const slots = createSlots(LIMITS);
  const entered: string[] = [];
  const leaveA = await slots.enter('a', 1000, NEVER);
  const leaveB = await slots.enter('b', 1000, NEVER);
  const secondA = slots.enter('a', 1000, NEVER).then(() => entered.push('a'));
  const firstC = slots.enter('c', 1000, NEVER).then(() => entered.push('c'));
  leaveB();
  await firstC;
  leaveA();
  await secondA;
  expect(entered).toEqual(['c', 'a']);
});

it('refuses when too many wait, and says whose fault it is', async () => {
  const own = createSlots({ ...LIMITS, maxWaitingPerToken: 0 });
  await own.enter('a', 1000, NEVER);
  expect(await codeOf(own.enter('a', 1000, NEVER))).toBe('concurrency_limited');

  const all = createSlots({ ...LIMITS, maxWaiting: 0 });
  await all.enter('a', 1000, NEVER);
  await all.enter('b', 1000, NEVER);
  expect(await codeOf(all.enter('c', 1000, NEVER))).toBe('overloaded');
});

it('gives up waiting after its time, or when the caller goes', async () => {
  const slots = createSlots(LIMITS);
  await slots.enter('a', 1000, NEVER);
  expect(await codeOf(slots.enter('a', 5, NEVER))).toBe('concurrency_limited');
  await slots.enter('b', 1000, NEVER);
  expect(await codeOf(slots.enter('c', 5, NEVER))).toBe('overloaded');

  const controller = new AbortController();
  const gone = codeOf(slots.enter('c', 1000, controller.signal));
  controller.abort(new Error('gone'));
  expect(await gone).toBe('gone');
  expect(await codeOf(slots.enter('c', 1000, controller.signal))).toBe('gone');
});
