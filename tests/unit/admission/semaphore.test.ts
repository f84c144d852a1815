import fc from 'fast-check';
import type { Lane } from '#server/admission/permits';
import { Semaphore } from '#server/admission/semaphore';

const LIMITS = {
  maxRunning: 2,
  maxRunningPerToken: 1,
  maxRunningAdhoc: 1,
  maxRunningChecks: 1,
  maxRunningBackground: 1,
  maxWaiting: 2,
  maxWaitingPerToken: 2,
};
const NEVER = new AbortController().signal;
const enter = (slots: Semaphore, owner: string, lane: Lane = 'saved', waitMs = 1000, signal = NEVER) =>
  slots.acquire({ owner, lane, waitMs, signal });
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'in',
    (error: { code?: string; message: string }) => error.code ?? error.message
  );

it('a semaphore gives out its permits, and a released permit goes to the next in line', async () => {
  const slots = new Semaphore(LIMITS);
  const leaveA = await enter(slots, 'a');
  await enter(slots, 'b');
  const waiting = enter(slots, 'c');
  expect(slots.running).toBe(2);
  leaveA();
  leaveA();
  await waiting;
  expect(slots.running).toBe(2);
});

it('a waiter whose owner has all its permits is passed over, and not forgotten', async () => {
  const slots = new Semaphore(LIMITS);
  const entered: string[] = [];
  const leaveA = await enter(slots, 'a');
  const leaveB = await enter(slots, 'b');
  const secondA = enter(slots, 'a').then(() => entered.push('a'));
  const firstC = enter(slots, 'c').then(() => entered.push('c'));
  leaveB();
  await firstC;
  leaveA();
  await secondA;
  expect(entered).toEqual(['c', 'a']);
});

it('too many waiters are refused, and the error says whether the token or the server is at its limit', async () => {
  const own = new Semaphore({ ...LIMITS, maxWaitingPerToken: 0 });
  await enter(own, 'a');
  expect(await codeOf(enter(own, 'a'))).toBe('concurrency_limited');

  const all = new Semaphore({ ...LIMITS, maxWaiting: 0 });
  await enter(all, 'a');
  await enter(all, 'b');
  expect(await codeOf(enter(all, 'c'))).toBe('overloaded');
});

it('a full queue has room for an owner with fewer waiters than another', async () => {
  const slots = new Semaphore({ ...LIMITS, maxWaiting: 3, maxWaitingPerToken: 3 });
  const [leaveA, leaveB] = await Promise.all([enter(slots, 'a'), enter(slots, 'b')]);
  const entered: string[] = [];
  const wait = (name: string): Promise<string> =>
    codeOf(enter(slots, name[0]!).then(() => entered.push(name))).then((code) => `${name} ${code}`);
  const [a1, , a3] = ['a1', 'a2', 'a3'].map(wait);
  const c1 = wait('c1');
  expect(await a3).toBe('a3 concurrency_limited');
  expect(slots.waiting).toBe(3);
  // Two waiters of one owner, and one of another that would have as many.
  expect(await wait('c2')).toBe('c2 overloaded');
  leaveB();
  expect(await Promise.race([a1, c1])).toBe('c1 in');
  leaveA();
  expect(await a1).toBe('a1 in');
  expect(entered).toEqual(['c1', 'a1']);
});

describe('tokens of one tenant', () => {
  const enterAs = (slots: Semaphore, tenant: string, owner: string, lane: Lane = 'saved') =>
    slots.acquire({ owner, tenant, lane, waitMs: 1000, signal: NEVER });
  const limits = { ...LIMITS, maxWaiting: 4, maxWaitingPerToken: 4 };

  it('get the next permit after a tenant with fewer, however many tokens they are', async () => {
    const slots = new Semaphore(limits);
    const leave = await Promise.all(['a1', 'a2'].map((owner) => enterAs(slots, 'a', owner)));
    const entered: string[] = [];
    const wait = (tenant: string, owner: string): Promise<unknown> =>
      enterAs(slots, tenant, owner).then(() => entered.push(owner));
    const [a3, b1] = [wait('a', 'a3'), wait('b', 'b1')];
    leave[0]!();
    await b1;
    leave[1]!();
    await a3;
    expect(entered).toEqual(['b1', 'a3']);
  });

  it('make room in a full queue for another tenant, and for a token with fewer among themselves', async () => {
    const slots = new Semaphore(limits);
    await Promise.all(['a1', 'a2'].map((owner) => enterAs(slots, 'a', owner)));
    const wait = (tenant: string, owner: string): Promise<string> => codeOf(enterAs(slots, tenant, owner));
    const [, , , a6] = ['a3', 'a4', 'a5', 'a6'].map((owner) => wait('a', owner));
    expect(await wait('a', 'a7')).toBe('overloaded');
    void wait('b', 'b1');
    expect(await a6).toBe('concurrency_limited');
    const again = wait('a', 'a3');
    expect(await again).toBe('overloaded');
    expect(slots.waiting).toBe(4);
  });

  it('leave an ad-hoc permit and a permit of a check to others', async () => {
    for (const lane of ['adhoc', 'check'] as const) {
      const slots = new Semaphore({ ...limits, maxRunning: 4, maxRunningAdhoc: 2, maxRunningChecks: 2 });
      await enterAs(slots, 'a', 'a1', lane);
      expect(slots.isBlockedByOwner({ owner: 'a2', tenant: 'a', lane })).toBe(true);
      void codeOf(enterAs(slots, 'a', 'a2', lane));
      await enterAs(slots, 'b', 'b1', lane);
      expect(slots.runningIn(lane)).toBe(2);
    }
  });

  it('have the permits of a token each where no other tenant waits', async () => {
    const slots = new Semaphore({ ...limits, maxRunning: 3 });
    await Promise.all(['a1', 'a2', 'a3'].map((owner) => enterAs(slots, 'a', owner)));
    expect(slots.running).toBe(3);
  });
});

it('a waiter gives up after its time, or when the client disconnects', async () => {
  const slots = new Semaphore(LIMITS);
  await enter(slots, 'a');
  expect(await codeOf(enter(slots, 'a', 'saved', 5))).toBe('concurrency_limited');
  await enter(slots, 'b');
  expect(await codeOf(enter(slots, 'c', 'saved', 5))).toBe('overloaded');

  const controller = new AbortController();
  const canceled = codeOf(enter(slots, 'c', 'saved', 1000, controller.signal));
  controller.abort(new Error('canceled'));
  expect(await canceled).toBe('canceled');
  expect(await codeOf(enter(slots, 'c', 'saved', 1000, controller.signal))).toBe('canceled');
});

describe('lanes', () => {
  const WIDE = { ...LIMITS, maxRunning: 3, maxRunningPerToken: 3 };

  it('of ad-hoc text have their own permits and their own queue', async () => {
    const slots = new Semaphore(WIDE);
    const leave = await enter(slots, 'a', 'adhoc');
    const waiting = [enter(slots, 'a', 'adhoc'), enter(slots, 'b', 'adhoc')];
    expect(await codeOf(enter(slots, 'c', 'adhoc'))).toBe('overloaded');
    const leaveSaved = await enter(slots, 'a');
    await enter(slots, 'a');
    const saved = enter(slots, 'a');
    expect([slots.runningIn('adhoc'), slots.waitingIn('adhoc'), slots.runningIn('saved')]).toEqual([1, 2, 2]);
    leaveSaved();
    await saved;
    leave();
    (await Promise.race(waiting))();
    await Promise.all(waiting);
  });

  it('of background work come after all callers, whichever came first', async () => {
    const slots = new Semaphore({ ...WIDE, maxRunning: 1, maxRunningPerToken: 1 });
    const leave = await enter(slots, 'a');
    const order: string[] = [];
    const background = enter(slots, 'warming', 'background').then((out) => (order.push('background'), out()));
    const caller = enter(slots, 'b', 'adhoc').then((out) => (order.push('caller'), out()));
    leave();
    await Promise.all([background, caller]);
    expect(order).toEqual(['caller', 'background']);
  });

  it('of background work take permits that are reserved for no other lane', async () => {
    const slots = new Semaphore(WIDE);
    await enter(slots, 'a', 'adhoc');
    const adhoc = codeOf(enter(slots, 'a', 'adhoc', 20));
    await enter(slots, 'warming', 'background');
    expect(await adhoc).toBe('overloaded');
  });
});

describe('lanes of ad-hoc text', () => {
  const TEXTS = {
    ...LIMITS,
    maxRunning: 4,
    maxRunningPerToken: 4,
    maxRunningAdhoc: 3,
    maxRunningChecks: 3,
    maxWaiting: 9,
    maxWaitingPerToken: 9,
  };

  it.each<Lane>(['adhoc', 'check'])('leave a permit of the lane %s to other tokens', async (lane) => {
    const slots = new Semaphore(TEXTS);
    const [leave] = await Promise.all([enter(slots, 'busy', lane), enter(slots, 'busy', lane)]);
    const third = codeOf(enter(slots, 'busy', lane, 20));
    await enter(slots, 'other', lane);
    expect(slots.runningIn(lane)).toBe(3);
    expect(await third).toBe('overloaded');
    const fourth = enter(slots, 'busy', lane);
    leave();
    await fourth;
    expect(slots.runningIn(lane)).toBe(3);
  });

  it('blame the token itself while another token could get a permit', async () => {
    const slots = new Semaphore(TEXTS);
    await Promise.all([enter(slots, 'busy', 'adhoc'), enter(slots, 'busy', 'adhoc')]);
    expect(await codeOf(enter(slots, 'busy', 'adhoc', 5))).toBe('concurrency_limited');
  });

  it('of checks neither wait for queries nor take their permits', async () => {
    const slots = new Semaphore(TEXTS);
    for (let place = 0; place < 2; place += 1) await enter(slots, 'busy', 'adhoc');
    for (let place = 0; place < 2; place += 1) await enter(slots, 'busy');
    const leaves = [
      await enter(slots, 'busy', 'check'),
      await enter(slots, 'busy', 'check'),
      await enter(slots, 'other', 'check'),
    ];
    expect([slots.running, slots.runningIn('check')]).toEqual([4, 3]);
    for (const leave of leaves) leave();
    expect([slots.running, slots.runningIn('check')]).toEqual([4, 0]);
  });
});

it('the owner with the fewest permits is next, so one token cannot have all of them', async () => {
  const slots = new Semaphore({ ...LIMITS, maxRunning: 3, maxRunningPerToken: 3, maxWaiting: 9 });
  const [leave] = await Promise.all([enter(slots, 'busy'), enter(slots, 'busy'), enter(slots, 'busy')]);
  const order: string[] = [];
  const note = (owner: string) => enter(slots, owner).then((out) => (order.push(owner), out()));
  const all = [note('busy'), note('other')];
  leave();
  await Promise.all(all);
  expect(order).toEqual(['other', 'busy']);
});

it('never more runs than allowed, each caller gets a permit or a refusal, and no free permit stays unused', async () => {
  const visit = fc.record({
    owner: fc.constantFrom('a', 'b', 'c'),
    lane: fc.constantFrom<Lane>('saved', 'adhoc', 'check', 'background'),
    turns: fc.integer({ min: 0, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(visit, { maxLength: 30 }), async (visits) => {
      const limits = { ...LIMITS, maxRunning: 3, maxRunningPerToken: 2, maxWaiting: 30, maxWaitingPerToken: 30 };
      const slots = new Semaphore(limits);
      const inside: { owner: string; lane: Lane }[] = [];
      await Promise.all(
        visits.map(async ({ owner, lane, turns }) => {
          const leave = await enter(slots, owner, lane, 60_000);
          const visitor = { owner, lane };
          inside.push(visitor);
          const queries = inside.filter((each) => each.lane !== 'check');
          expect(queries.length).toBeLessThanOrEqual(limits.maxRunning);
          expect(queries.filter((each) => each.owner === owner).length).toBeLessThanOrEqual(2);
          expect(inside.length - queries.length).toBeLessThanOrEqual(1);
          expect(inside.filter((each) => each.lane === 'adhoc').length).toBeLessThanOrEqual(1);
          expect(inside.filter((each) => each.lane === 'background').length).toBeLessThanOrEqual(1);
          for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
          inside.splice(inside.indexOf(visitor), 1);
          leave();
        })
      );
      expect([slots.running, slots.waiting]).toEqual([0, 0]);
    })
  );
});
