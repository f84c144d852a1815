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
/** A signal of each call, as each request has one. */
const never = () => new AbortController().signal;
const enter = (permits: Semaphore, owner: string, lane: Lane = 'saved', waitMs = 1000, signal = never()) =>
  permits.acquire({ owner, lane, waitMs, signal });
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'in',
    (error: { code?: string; message: string }) => error.code ?? error.message
  );

it('a semaphore gives out its permits, and a released permit goes to the next in line', async () => {
  const permits = new Semaphore(LIMITS);
  const leaveA = await enter(permits, 'a');
  await enter(permits, 'b');
  const waiting = enter(permits, 'c');
  expect(permits.running).toBe(2);
  leaveA();
  leaveA();
  await waiting;
  expect(permits.running).toBe(2);
});

it('a waiter whose owner has all its permits is passed over, and not forgotten', async () => {
  const permits = new Semaphore(LIMITS);
  const entered: string[] = [];
  const leaveA = await enter(permits, 'a');
  const leaveB = await enter(permits, 'b');
  const secondA = enter(permits, 'a').then(() => entered.push('a'));
  const firstC = enter(permits, 'c').then(() => entered.push('c'));
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
  const permits = new Semaphore({ ...LIMITS, maxWaiting: 3, maxWaitingPerToken: 3 });
  const [leaveA, leaveB] = await Promise.all([enter(permits, 'a'), enter(permits, 'b')]);
  const entered: string[] = [];
  const wait = (name: string): Promise<string> =>
    codeOf(enter(permits, name[0]!).then(() => entered.push(name))).then((code) => `${name} ${code}`);
  const [a1, , a3] = ['a1', 'a2', 'a3'].map(wait);
  const c1 = wait('c1');
  expect(await a3).toBe('a3 concurrency_limited');
  expect(permits.waiting).toBe(3);
  // Two waiters of one owner, and one of another that would have as many.
  expect(await wait('c2')).toBe('c2 overloaded');
  leaveB();
  expect(await Promise.race([a1, c1])).toBe('c1 in');
  leaveA();
  expect(await a1).toBe('a1 in');
  expect(entered).toEqual(['c1', 'a1']);
});

describe('tokens of one tenant', () => {
  const enterAs = (permits: Semaphore, tenant: string, owner: string, lane: Lane = 'saved') =>
    permits.acquire({ owner, tenant, lane, waitMs: 1000, signal: never() });
  const limits = { ...LIMITS, maxWaiting: 4, maxWaitingPerToken: 4 };

  it('get the next permit after a tenant with fewer, however many tokens they are', async () => {
    const permits = new Semaphore(limits);
    const leave = await Promise.all(['a1', 'a2'].map((owner) => enterAs(permits, 'a', owner)));
    const entered: string[] = [];
    const wait = (tenant: string, owner: string): Promise<unknown> =>
      enterAs(permits, tenant, owner).then(() => entered.push(owner));
    const [a3, b1] = [wait('a', 'a3'), wait('b', 'b1')];
    leave[0]!();
    await b1;
    leave[1]!();
    await a3;
    expect(entered).toEqual(['b1', 'a3']);
  });

  it('make room in a full queue for another tenant, and for a token with fewer among themselves', async () => {
    const permits = new Semaphore(limits);
    await Promise.all(['a1', 'a2'].map((owner) => enterAs(permits, 'a', owner)));
    const wait = (tenant: string, owner: string): Promise<string> => codeOf(enterAs(permits, tenant, owner));
    const [, , , a6] = ['a3', 'a4', 'a5', 'a6'].map((owner) => wait('a', owner));
    expect(await wait('a', 'a7')).toBe('overloaded');
    void wait('b', 'b1');
    expect(await a6).toBe('concurrency_limited');
    const again = wait('a', 'a3');
    expect(await again).toBe('overloaded');
    expect(permits.waiting).toBe(4);
  });

  it('leave an ad-hoc permit and a permit of a check to others', async () => {
    for (const lane of ['adhoc', 'check'] as const) {
      const permits = new Semaphore({ ...limits, maxRunning: 4, maxRunningAdhoc: 2, maxRunningChecks: 2 });
      await enterAs(permits, 'a', 'a1', lane);
      expect(permits.isBlockedByOwner({ owner: 'a2', tenant: 'a', lane })).toBe(true);
      void codeOf(enterAs(permits, 'a', 'a2', lane));
      await enterAs(permits, 'b', 'b1', lane);
      expect(permits.runningIn(lane)).toBe(2);
    }
  });

  it('have the permits of a token each where no other tenant waits', async () => {
    const permits = new Semaphore({ ...limits, maxRunning: 3 });
    await Promise.all(['a1', 'a2', 'a3'].map((owner) => enterAs(permits, 'a', owner)));
    expect(permits.running).toBe(3);
  });
});

it('a waiter gives up after its time, or when the client disconnects', async () => {
  const permits = new Semaphore(LIMITS);
  await enter(permits, 'a');
  expect(await codeOf(enter(permits, 'a', 'saved', 5))).toBe('concurrency_limited');
  await enter(permits, 'b');
  expect(await codeOf(enter(permits, 'c', 'saved', 5))).toBe('overloaded');

  const controller = new AbortController();
  const canceled = codeOf(enter(permits, 'c', 'saved', 1000, controller.signal));
  controller.abort(new Error('canceled'));
  expect(await canceled).toBe('canceled');
  expect(await codeOf(enter(permits, 'c', 'saved', 1000, controller.signal))).toBe('canceled');
});

describe('lanes', () => {
  const WIDE = { ...LIMITS, maxRunning: 3, maxRunningPerToken: 3 };

  it('of ad-hoc text have their own permits and their own queue', async () => {
    const permits = new Semaphore(WIDE);
    const leave = await enter(permits, 'a', 'adhoc');
    const waiting = [enter(permits, 'a', 'adhoc'), enter(permits, 'b', 'adhoc')];
    expect(await codeOf(enter(permits, 'c', 'adhoc'))).toBe('overloaded');
    const leaveSaved = await enter(permits, 'a');
    await enter(permits, 'a');
    const saved = enter(permits, 'a');
    expect([permits.runningIn('adhoc'), permits.waitingIn('adhoc'), permits.runningIn('saved')]).toEqual([1, 2, 2]);
    leaveSaved();
    await saved;
    leave();
    (await Promise.race(waiting))();
    await Promise.all(waiting);
  });

  it('of background work come after all callers, whichever came first', async () => {
    const permits = new Semaphore({ ...WIDE, maxRunning: 1, maxRunningPerToken: 1 });
    const leave = await enter(permits, 'a');
    const order: string[] = [];
    const background = enter(permits, 'warming', 'background').then((out) => (order.push('background'), out()));
    const caller = enter(permits, 'b', 'adhoc').then((out) => (order.push('caller'), out()));
    leave();
    await Promise.all([background, caller]);
    expect(order).toEqual(['caller', 'background']);
  });

  it('of background work take permits that are reserved for no other lane', async () => {
    const permits = new Semaphore(WIDE);
    await enter(permits, 'a', 'adhoc');
    const adhoc = codeOf(enter(permits, 'a', 'adhoc', 20));
    await enter(permits, 'warming', 'background');
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
    const permits = new Semaphore(TEXTS);
    const [leave] = await Promise.all([enter(permits, 'busy', lane), enter(permits, 'busy', lane)]);
    const third = codeOf(enter(permits, 'busy', lane, 20));
    await enter(permits, 'other', lane);
    expect(permits.runningIn(lane)).toBe(3);
    expect(await third).toBe('overloaded');
    const fourth = enter(permits, 'busy', lane);
    leave();
    await fourth;
    expect(permits.runningIn(lane)).toBe(3);
  });

  it('blame the token itself while another token could get a permit', async () => {
    const permits = new Semaphore(TEXTS);
    await Promise.all([enter(permits, 'busy', 'adhoc'), enter(permits, 'busy', 'adhoc')]);
    expect(await codeOf(enter(permits, 'busy', 'adhoc', 5))).toBe('concurrency_limited');
  });

  it('of checks neither wait for queries nor take their permits', async () => {
    const permits = new Semaphore(TEXTS);
    for (let place = 0; place < 2; place += 1) await enter(permits, 'busy', 'adhoc');
    for (let place = 0; place < 2; place += 1) await enter(permits, 'busy');
    const leaves = [
      await enter(permits, 'busy', 'check'),
      await enter(permits, 'busy', 'check'),
      await enter(permits, 'other', 'check'),
    ];
    expect([permits.running, permits.runningIn('check')]).toEqual([4, 3]);
    for (const leave of leaves) leave();
    expect([permits.running, permits.runningIn('check')]).toEqual([4, 0]);
  });
});

it('the owner with the fewest permits is next, so one token cannot have all of them', async () => {
  const permits = new Semaphore({ ...LIMITS, maxRunning: 3, maxRunningPerToken: 3, maxWaiting: 9 });
  const [leave] = await Promise.all([enter(permits, 'busy'), enter(permits, 'busy'), enter(permits, 'busy')]);
  const order: string[] = [];
  const note = (owner: string) => enter(permits, owner).then((out) => (order.push(owner), out()));
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
      const permits = new Semaphore(limits);
      const inside: { owner: string; lane: Lane }[] = [];
      await Promise.all(
        visits.map(async ({ owner, lane, turns }) => {
          const leave = await enter(permits, owner, lane, 60_000);
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
      expect([permits.running, permits.waiting]).toEqual([0, 0]);
    })
  );
});
