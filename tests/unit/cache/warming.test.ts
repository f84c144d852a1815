import { MAX_WARM_PER_QUERY } from '#server/cache/cache-refresher';
import {
  COLD,
  createHarness,
  type Harness,
  POLICY,
  questionOf,
  type StartedRun,
  textOf,
} from '../../support/query-cache-harness';
import { settle } from '../../support/manual-clock';

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

it('makes a result anew each period while somebody asks, so that its age stays below the period', async () => {
  await harness.askAndRun('first');
  for (let round = 1; round <= 5; round += 1) {
    await advance(301);
    const served = await harness.ask();
    expect([served.outcome, textOf(served)]).toEqual(['hit', `warm ${round}`]);
    expect(served.entry!.ageSeconds(harness.clock)).toBeLessThan(300);
  }
  expect(harness.events.filter(({ kind }) => kind === 'warm_run')).toHaveLength(5);
});

it('ends when nobody has asked for a whole cache period, and begins again with the next who asks', async () => {
  await harness.askAndRun('first');
  await advance(10_000);
  // At 300, 600 and 900 seconds.
  expect(backgroundRuns()).toBe(3);
  expect(harness.runs.stats()).toMatchObject({ entries: 0, warm: 0 });
  await harness.askAndRun('second');
  await advance(301);
  expect(backgroundRuns()).toBe(4);
});

it('begins again at once for a result that is still good but older than the period', async () => {
  await harness.askAndRun('first');
  await advance(1300);
  expect([backgroundRuns(), harness.runs.stats().warm]).toEqual([3, 0]);
  expect(textOf(await harness.ask())).toBe('warm 3');
  await advance(1);
  expect(textOf(await harness.ask())).toBe('warm 4');
});

it('is off for a period of 0', async () => {
  await harness.askAndRun('first', undefined, { policy: COLD });
  await harness.ask(undefined, { policy: COLD });
  await advance(900);
  expect(backgroundRuns()).toBe(0);
});

it('keeps the good result when a run fails, says so, and tries again after a period', async () => {
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

it('gives the good result no longer than its time when all runs fail', async () => {
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

it('callers who come during a background run get the old result; once that is over, they share the run', async () => {
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

it('a background run goes on when a caller who shared it leaves', async () => {
  await harness.askAndRun('old');
  await harness.clock.pass(300_000);
  await harness.clock.pass(600_000);
  const caller = new AbortController();
  const call = harness.ask(undefined, { signal: caller.signal });
  await settle();
  caller.abort(new Error('gone'));
  await expect(call).rejects.toThrow('gone');
  expect(harness.started[1]!.signal.aborted).toBe(false);
});

it('waits for a place that no caller needs; until then callers do not join it but run', async () => {
  await harness.askAndRun('old');
  harness.hasIdlePlace = false;
  await harness.clock.pass(900_000);
  expect(backgroundRuns()).toBe(0);
  const served = await harness.askAndRun('new');
  expect([served.outcome, textOf(served)]).toEqual(['miss', 'new']);
  harness.runs.stop();
});

it('gives its place back when a caller was faster', async () => {
  await harness.askAndRun('old');
  harness.hasIdlePlace = false;
  await harness.clock.pass(300_000);
  const call = harness.ask(undefined, { afresh: true });
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

it('tries again soon when there was no place, and that is no failure', async () => {
  await harness.askAndRun('old');
  harness.hasIdlePlace = 'refused';
  await harness.clock.pass(302_500);
  expect((await harness.ask()).entry!.refreshFailed).toBe(false);
  expect(harness.events).toContainEqual({ kind: 'warm_run', endpoint: POLICY.endpoint, outcome: 'skipped' });
  harness.hasIdlePlace = true;
  await harness.clock.pass(1000);
  expect(backgroundRuns()).toBe(1);
});

it('runs one at a time', async () => {
  for (const project of ['a', 'b', 'c']) await harness.askAndRun('old', questionOf(project));
  await harness.clock.pass(300_000);
  for (const running of [1, 2, 3]) {
    expect(backgroundRuns()).toBe(running);
    await harness.started.at(-1)!.succeed('new');
  }
  expect(backgroundRuns()).toBe(3);
});

it('one that is being run for a caller is not run twice', async () => {
  await harness.askAndRun('old');
  await harness.clock.pass(299_000);
  const fresh = harness.ask(undefined, { afresh: true });
  await harness.clock.pass(2000);
  expect(harness.started).toHaveLength(2);
  await harness.started[1]!.succeed('new');
  expect(textOf(await fresh)).toBe('new');
  await harness.clock.pass(290_000);
  expect(harness.started).toHaveLength(2);
  await harness.clock.pass(10_000);
  expect(harness.started).toHaveLength(3);
});

it(`keeps at most ${MAX_WARM_PER_QUERY} results of a query warm, those asked for last`, async () => {
  const count = MAX_WARM_PER_QUERY + 5;
  for (let index = 0; index < count; index += 1) await harness.askAndRun('old', questionOf(`p${index}`));
  await harness.ask(questionOf('p0'));
  expect(harness.runs.stats()).toMatchObject({ entries: count, warm: MAX_WARM_PER_QUERY });
  await advance(300 + MAX_WARM_PER_QUERY);
  const warmed = new Set([...done].map(({ question }) => question.parameters['project']));
  expect(warmed.has('p0')).toBe(true);
  expect(warmed.has('p1')).toBe(false);
  expect(warmed.has(`p${count - 1}`)).toBe(true);
});

it('does not bring back what had to make room', async () => {
  harness = createHarness({ maxEntries: 1, maxBytes: 1_000_000 });
  await harness.askAndRun('a', questionOf('a'));
  await harness.askAndRun('b', questionOf('b'));
  await harness.clock.pass(300_000);
  expect(
    harness.started.filter(({ owner }) => owner === null).map(({ question }) => question.parameters['project'])
  ).toEqual(['b']);
});

it('ends with the service: the run that is under way too', async () => {
  await harness.askAndRun('old');
  await harness.clock.pass(300_000);
  harness.runs.stop();
  expect(harness.started[1]!.signal.aborted).toBe(true);
  await settle();
  expect(harness.clock.pendingTimers).toBe(0);
  await harness.clock.pass(3_600_000);
  expect(harness.started).toHaveLength(2);
});
