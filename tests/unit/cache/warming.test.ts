import { MAX_WARM_PER_QUERY } from '#server/cache/refresh-schedule';
import {
  COLD,
  createHarness,
  type Harness,
  POLICY,
  queryRequestOf,
  type StartedRun,
  textOf,
} from '../../support/fakes/query-cache';
import { settle } from '../../support/fakes/clock';

let harness: Harness;
beforeEach(() => (harness = createHarness()));

/** Lets time go by; runs in the background bring "warm 1", "warm 2", … */
async function advance(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await harness.clock.pass(1000);
    const run = harness.started.at(-1);
    if (run?.owner === null && !done.has(run)) {
      done.add(run);
      await run.succeed(`warm ${done.size}`);
    }
  }
}
const done = new Set<StartedRun>();
beforeEach(() => done.clear());

const backgroundRuns = () => harness.started.filter(({ owner }) => owner === null).length;

it('a result in use is refreshed every period, so its age stays below the period', async () => {
  await harness.askAndRun('first');
  for (let round = 1; round <= 5; round += 1) {
    await advance(301);
    const served = await harness.ask();
    expect([served.outcome, textOf(served)]).toEqual(['hit', `warm ${round}`]);
    expect(served.entry!.ageSeconds(harness.clock)).toBeLessThan(300);
  }
  expect(harness.events.filter(({ kind }) => kind === 'warm_run')).toHaveLength(5);
});

it('refreshing ends after a whole cache period without calls, and starts again with the next call', async () => {
  await harness.askAndRun('first');
  await advance(10_000);
  // At 300, 600 and 900 seconds.
  expect(backgroundRuns()).toBe(3);
  expect(harness.queryCache.stats()).toMatchObject({ entries: 0, warm: 0 });
  await harness.askAndRun('second');
  await advance(301);
  expect(backgroundRuns()).toBe(4);
});

it('refreshing starts at once for a cached result that is older than the refresh period', async () => {
  await harness.askAndRun('first');
  await advance(1300);
  expect([backgroundRuns(), harness.queryCache.stats().warm]).toEqual([3, 0]);
  expect(textOf(await harness.ask())).toBe('warm 3');
  await advance(1);
  expect(textOf(await harness.ask())).toBe('warm 4');
});

it('a refresh period of 0 switches refreshing off', async () => {
  await harness.askAndRun('first', undefined, { policy: COLD });
  await harness.ask(undefined, { policy: COLD });
  await advance(900);
  expect(backgroundRuns()).toBe(0);
});

it('a failed refresh keeps the cached result, marks it, and is tried again after a period', async () => {
  await harness.askAndRun('good');
  await harness.clock.pass(300_000);
  await harness.started.at(-1)!.fail();
  const served = await harness.ask();
  expect([served.outcome, textOf(served), served.entry!.refreshFailed]).toEqual(['hit', 'good', true]);
  expect(harness.events).toContainEqual({ kind: 'warm_run', endpoint: POLICY.endpoint, outcome: 'failed' });
  await harness.clock.pass(300_000);
  expect(backgroundRuns()).toBe(2);
  await harness.started.at(-1)!.succeed('better');
  const later = await harness.ask();
  expect([textOf(later), later.entry!.refreshFailed]).toEqual(['better', false]);
});

it('a cached result expires on time when all its refreshes fail', async () => {
  await harness.askAndRun('good');
  for (let round = 0; round < 2; round += 1) {
    await harness.clock.pass(300_000);
    await harness.started.at(-1)!.fail();
    expect((await harness.ask()).outcome).toBe('hit');
  }
  await harness.clock.pass(300_000);
  await harness.started.at(-1)!.fail();
  expect((await harness.askAndRun('new')).outcome).toBe('miss');
});

it('callers during a refresh get the cached result; once it has expired, they join the refresh', async () => {
  await harness.askAndRun('old');
  await harness.clock.pass(300_000);
  const during = await harness.ask();
  expect([during.outcome, textOf(during)]).toEqual(['hit', 'old']);
  await harness.clock.pass(600_000);
  const calls = [harness.ask(), harness.ask()];
  await settle();
  expect(harness.started).toHaveLength(2);
  await harness.started[1]!.succeed('new');
  for (const served of await Promise.all(calls)) expect([served.outcome, textOf(served)]).toEqual(['collapsed', 'new']);
});

it('a refresh goes on when a caller who joined it leaves', async () => {
  await harness.askAndRun('old');
  await harness.clock.pass(300_000);
  await harness.clock.pass(600_000);
  const caller = new AbortController();
  const call = harness.ask(undefined, { signal: caller.signal });
  await settle();
  caller.abort(new Error('canceled'));
  await expect(call).rejects.toThrow('canceled');
  expect(harness.started[1]!.signal.aborted).toBe(false);
});

it('a refresh waits for an idle permit; until then callers run for themselves', async () => {
  await harness.askAndRun('old');
  harness.hasIdlePlace = false;
  await harness.clock.pass(900_000);
  expect(backgroundRuns()).toBe(0);
  const served = await harness.askAndRun('new');
  expect([served.outcome, textOf(served)]).toEqual(['miss', 'new']);
  harness.queryCache.stop();
});

it('a refresh releases its permit when a caller has run the query first', async () => {
  await harness.askAndRun('old');
  harness.hasIdlePlace = false;
  await harness.clock.pass(300_000);
  const call = harness.ask(undefined, { bypassCache: true });
  await settle();
  harness.hasIdlePlace = true;
  await settle();
  await harness.clock.pass(5000);
  expect(backgroundRuns()).toBe(0);
  await harness.started.at(-1)!.succeed('new');
  expect(textOf(await call)).toBe('new');
  await harness.clock.pass(294_000);
  expect(backgroundRuns()).toBe(0);
  await harness.clock.pass(2000);
  expect(backgroundRuns()).toBe(1);
});

it('a refresh without a permit is tried again soon and not counted as a failure', async () => {
  await harness.askAndRun('old');
  harness.hasIdlePlace = 'refused';
  await harness.clock.pass(302_500);
  expect((await harness.ask()).entry!.refreshFailed).toBe(false);
  expect(harness.events).toContainEqual({ kind: 'warm_run', endpoint: POLICY.endpoint, outcome: 'skipped' });
  harness.hasIdlePlace = true;
  await harness.clock.pass(1000);
  expect(backgroundRuns()).toBe(1);
});

it('refreshes run one at a time', async () => {
  for (const project of ['a', 'b', 'c']) await harness.askAndRun('old', queryRequestOf(project));
  await harness.clock.pass(300_000);
  for (const running of [1, 2, 3]) {
    expect(backgroundRuns()).toBe(running);
    await harness.started.at(-1)!.succeed('new');
  }
  expect(backgroundRuns()).toBe(3);
});

it('a result that is being run for a caller is not refreshed at the same time', async () => {
  await harness.askAndRun('old');
  await harness.clock.pass(299_000);
  const fresh = harness.ask(undefined, { bypassCache: true });
  await harness.clock.pass(2000);
  expect(harness.started).toHaveLength(2);
  await harness.started[1]!.succeed('new');
  expect(textOf(await fresh)).toBe('new');
  await harness.clock.pass(290_000);
  expect(harness.started).toHaveLength(2);
  await harness.clock.pass(10_000);
  expect(harness.started).toHaveLength(3);
});

it(`at most ${MAX_WARM_PER_QUERY} results of a query are refreshed, the most recently used`, async () => {
  const count = MAX_WARM_PER_QUERY + 5;
  for (let index = 0; index < count; index += 1) await harness.askAndRun('old', queryRequestOf(`p${index}`));
  await harness.ask(queryRequestOf('p0'));
  expect(harness.queryCache.stats()).toMatchObject({ entries: count, warm: MAX_WARM_PER_QUERY });
  await advance(300 + MAX_WARM_PER_QUERY);
  const warmed = new Set([...done].map(({ queryRequest }) => queryRequest.parameters['project']));
  expect(warmed.has('p0')).toBe(true);
  expect(warmed.has('p1')).toBe(false);
  expect(warmed.has(`p${count - 1}`)).toBe(true);
});

it('an evicted result is not refreshed', async () => {
  harness = createHarness({ maxEntries: 1, maxBytes: 1_000_000 });
  await harness.askAndRun('a', queryRequestOf('a'));
  await harness.askAndRun('b', queryRequestOf('b'));
  await harness.clock.pass(300_000);
  expect(
    harness.started.filter(({ owner }) => owner === null).map(({ queryRequest }) => queryRequest.parameters['project'])
  ).toEqual(['b']);
});

it('refreshing stops with the service, and a running refresh is aborted', async () => {
  await harness.askAndRun('old');
  await harness.clock.pass(300_000);
  harness.queryCache.stop();
  expect(harness.started[1]!.signal.aborted).toBe(true);
  await settle();
  expect(harness.clock.pendingTimers).toBe(0);
  await harness.clock.pass(3_600_000);
  expect(harness.started).toHaveLength(2);
});

it('a refresh that callers have joined goes on for them when refreshing stops', async () => {
  await harness.askAndRun('old');
  await harness.clock.pass(300_000);
  await harness.clock.pass(600_000);
  const left = new AbortController();
  const outcomes = Promise.allSettled([harness.ask(), harness.ask(undefined, { signal: left.signal })]);
  await settle();
  harness.queryCache.stop();
  left.abort(new Error('canceled'));
  await harness.started[1]!.succeed('new');
  const [stayed, canceled] = await outcomes;
  expect(stayed.status === 'fulfilled' && textOf(stayed.value)).toBe('new');
  expect(canceled).toMatchObject({ status: 'rejected', reason: { message: 'canceled' } });
});

it('a refresh is aborted after refreshing stops when the last caller who joined it leaves', async () => {
  await harness.askAndRun('old');
  await harness.clock.pass(300_000);
  await harness.clock.pass(600_000);
  const caller = new AbortController();
  const leaving = expect(harness.ask(undefined, { signal: caller.signal })).rejects.toThrow('canceled');
  await settle();
  harness.queryCache.stop();
  expect(harness.started[1]!.signal.aborted).toBe(false);
  caller.abort(new Error('canceled'));
  await leaving;
  expect(harness.started[1]!.signal.aborted).toBe(true);
});
