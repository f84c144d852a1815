import { ServiceError } from '#contract/errors';
import { COLD, createHarness, type Harness, queryRequestOf, textOf, UNCACHED } from '../../support/fakes/query-cache';
import { settle } from '../../support/fakes/clock';

let harness: Harness;
beforeEach(() => (harness = createHarness()));

const OTHER_QUERY = '7d1a9fd0-0000-4000-8000-00000000000f';

describe('a cached result', () => {
  it('is returned until its cache period ends', async () => {
    expect(await harness.askAndRun('old', undefined, { policy: COLD })).toMatchObject({ outcome: 'miss' });
    await harness.clock.pass(899_999);
    const hit = await harness.ask(undefined, { policy: COLD });
    expect([hit.outcome, textOf(hit), hit.entry!.ageSeconds(harness.clock)]).toEqual(['hit', 'old', 899]);
    await harness.clock.pass(1);
    const again = await harness.askAndRun('new', undefined, { policy: COLD });
    expect([again.outcome, textOf(again), again.entry!.ageSeconds(harness.clock)]).toEqual(['miss', 'new', 0]);
  });

  it('has the age since the "now" of its run, not since the end of the run', async () => {
    const served = harness.ask();
    await settle();
    await harness.clock.pass(5000);
    await harness.started[0]!.succeed('rows');
    expect((await served).entry!.ageSeconds(harness.clock)).toBe(5);
  });

  it('ages by elapsed time when the time of day is set back', async () => {
    await harness.askAndRun('old', undefined, { policy: COLD });
    harness.clock.setTimeOfDay({ ms: -3_600_000 });
    await harness.clock.pass(10_000);
    expect((await harness.ask()).entry!.ageSeconds(harness.clock)).toBe(10);
    await harness.clock.pass(890_000);
    expect((await harness.askAndRun('new', undefined, { policy: COLD })).outcome).toBe('miss');
  });

  it('expires after a sleep during which only the time of day advanced', async () => {
    await harness.askAndRun('old', undefined, { policy: COLD });
    harness.clock.setTimeOfDay({ ms: 901_000 });
    expect((await harness.askAndRun('new', undefined, { policy: COLD })).outcome).toBe('miss');
  });

  it('is neither stored nor shared with a simultaneous call when the query is not cached', async () => {
    const calls = [harness.ask(undefined, { policy: UNCACHED }), harness.ask(undefined, { policy: UNCACHED })];
    await settle();
    expect(harness.started).toHaveLength(2);
    for (const run of harness.started) await run.succeed('rows');
    for (const served of await Promise.all(calls)) expect(served).toMatchObject({ outcome: 'bypass', entry: null });
    expect(harness.queryCache.stats().entries).toBe(0);
  });

  it('is not stored when the cache is switched off', async () => {
    for (const limits of [
      { maxEntries: 0, maxBytes: 1000 },
      { maxEntries: 10, maxBytes: 0 },
    ]) {
      harness = createHarness(limits);
      expect(await harness.askAndRun('rows')).toMatchObject({ outcome: 'bypass', entry: null });
      expect(harness.clock.pendingTimers).toBe(0);
    }
  });

  it('uses only the memory of its own bytes, however large the buffer it was read from', async () => {
    const { entry } = await harness.askAndRun('x'.repeat(10));
    expect(entry!.result.bytes.buffer.byteLength).toBe(10);
  });
});

it('a failed run is not cached: the next call runs again', async () => {
  const refused = expect(harness.ask()).rejects.toMatchObject({ code: 'query_timeout' });
  await settle();
  await harness.started[0]!.fail(new ServiceError('query_timeout', 'too long'));
  await refused;
  expect((await harness.askAndRun('rows')).outcome).toBe('miss');
});

describe('calls at the same time', () => {
  it('share one run: 200 calls are counted as one miss and 199 collapsed', async () => {
    const calls = Array.from({ length: 200 }, (_, index) => harness.ask(undefined, { owner: `token-${index % 3}` }));
    await settle();
    expect(harness.started).toHaveLength(1);
    await harness.started[0]!.succeed('rows');
    const outcomes = (await Promise.all(calls)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'collapsed')).toHaveLength(199);
    expect(harness.events.filter((event) => event.outcome === 'collapsed')).toHaveLength(199);
    expect(harness.events.filter((event) => event.outcome === 'miss')).toHaveLength(1);
  });

  it('keep their shared run when its first caller leaves; the run is aborted and not cached when all leave', async () => {
    const callers = [new AbortController(), new AbortController()];
    const calls = callers.map(({ signal }) => harness.ask(undefined, { signal }));
    await settle();
    callers[0]!.abort(new Error('canceled'));
    await expect(calls[0]).rejects.toThrow('canceled');
    expect(harness.started[0]!.signal.aborted).toBe(false);
    callers[1]!.abort(new Error('canceled too'));
    await expect(calls[1]).rejects.toThrow('canceled too');
    expect(harness.started[0]!.signal.aborted).toBe(true);
    expect(harness.queryCache.stats().entries).toBe(0);
  });

  it('run for themselves when the run they joined is refused because its own token has too many', async () => {
    const refused = [1, 2].map(() =>
      expect(harness.ask(undefined, { owner: 'busy' })).rejects.toMatchObject({ code: 'concurrency_limited' })
    );
    const other = harness.ask(undefined, { owner: 'idle' });
    await settle();
    await harness.started[0]!.fail(new ServiceError('concurrency_limited', 'too many'));
    await Promise.all(refused);
    expect(harness.started[1]!.owner).toBe('idle');
    await harness.started[1]!.succeed('rows');
    expect(textOf(await other)).toBe('rows');
  });
});

describe('a call that bypasses the cache', () => {
  it('runs, and its result replaces the cached one', async () => {
    await harness.askAndRun('old');
    expect(await harness.askAndRun('new', undefined, { bypassCache: true })).toMatchObject({ outcome: 'refresh' });
    expect(textOf(await harness.ask())).toBe('new');
  });

  it('does not join an earlier run, and the result of that run does not overwrite its own', async () => {
    const before = harness.ask();
    await settle();
    const fresh = harness.ask(undefined, { bypassCache: true });
    await settle();
    await harness.started[1]!.succeed('new');
    await harness.started[0]!.succeed('old');
    expect([textOf(await before), textOf(await fresh), textOf(await harness.ask())]).toEqual(['old', 'new', 'new']);
    expect((await before).entry).toBeNull();
  });

  it('leaves the cached result in place when its run fails', async () => {
    await harness.askAndRun('old');
    const fresh = harness.ask(undefined, { bypassCache: true });
    await settle();
    const failing = expect(fresh).rejects.toThrow();
    await harness.started[1]!.fail();
    await failing;
    expect(textOf(await harness.ask())).toBe('old');
  });
});

describe('a purge', () => {
  it('removes all results of its query and none of other queries', async () => {
    const other = queryRequestOf('a', { endpointId: OTHER_QUERY });
    await harness.askAndRun('1', queryRequestOf('a'));
    await harness.askAndRun('2', queryRequestOf('b'));
    await harness.askAndRun('3', other);
    await harness.queryCache.purge(queryRequestOf('a').endpointId);
    expect(harness.queryCache.stats()).toMatchObject({ entries: 1, warm: 1 });
    expect((await harness.ask(other)).outcome).toBe('hit');
    expect((await harness.askAndRun('4', queryRequestOf('a'))).outcome).toBe('miss');
  });

  it('during a run gives waiting callers their rows, but does not cache them, and no later call joins the run', async () => {
    const before = harness.ask();
    await settle();
    await harness.queryCache.purge(queryRequestOf('abc').endpointId);
    const after = harness.ask();
    await settle();
    expect(harness.started).toHaveLength(2);
    await harness.started[0]!.succeed('old');
    expect(await before).toMatchObject({ outcome: 'miss', entry: null });
    expect(harness.queryCache.stats().entries).toBe(0);
    await harness.started[1]!.succeed('new');
    expect([textOf(await after), textOf(await harness.ask())]).toEqual(['new', 'new']);
  });

  it('during a background run discards its rows and stops refreshing', async () => {
    await harness.askAndRun('old');
    await harness.clock.pass(300_000);
    await harness.queryCache.purge(queryRequestOf('abc').endpointId);
    await harness.started[1]!.succeed('warmed');
    expect(harness.queryCache.stats()).toMatchObject({ entries: 0, warm: 0 });
    await harness.clock.pass(3_600_000);
    expect(harness.started).toHaveLength(2);
  });
});

describe('the cache', () => {
  it('evicts the least recently used entry when it has too many', async () => {
    harness = createHarness({ maxEntries: 2, maxBytes: 1_000_000 });
    await harness.askAndRun('a', queryRequestOf('a'));
    await harness.askAndRun('b', queryRequestOf('b'));
    await harness.ask(queryRequestOf('a'));
    await harness.askAndRun('c', queryRequestOf('c'));
    expect(harness.queryCache.stats()).toMatchObject({ entries: 2, evictions: 1, warm: 2 });
    expect((await harness.ask(queryRequestOf('a'))).outcome).toBe('hit');
    expect((await harness.askAndRun('b', queryRequestOf('b'))).outcome).toBe('miss');
  });

  it('evicts entries when they need too much memory, encoded copies included', async () => {
    harness = createHarness({ maxEntries: 100, maxBytes: 40_000 });
    for (const project of ['a', 'b', 'c']) await harness.askAndRun('x'.repeat(10_000), queryRequestOf(project));
    expect(harness.queryCache.stats().entries).toBe(3);
    const { entry } = await harness.ask(queryRequestOf('c'));
    await entry!.coded('br', async () => Buffer.alloc(10_000));
    expect(harness.queryCache.stats()).toMatchObject({ entries: 2, evictions: 1 });
    expect(harness.queryCache.stats().bytes).toBeLessThanOrEqual(40_000);
    expect((await harness.ask(queryRequestOf('c'))).outcome).toBe('hit');
  });

  it('returns but does not store a result larger than the cache, and evicts nothing for it', async () => {
    harness = createHarness({ maxEntries: 100, maxBytes: 10_000 });
    await harness.askAndRun('small', queryRequestOf('a'));
    expect(await harness.askAndRun('x'.repeat(10_001), queryRequestOf('b'))).toMatchObject({
      outcome: 'miss',
      entry: null,
    });
    expect((await harness.ask(queryRequestOf('a'))).outcome).toBe('hit');
  });

  it('releases the memory of expired entries even when no call asks for them', async () => {
    await harness.askAndRun('rows', undefined, { policy: COLD });
    await harness.clock.pass(960_000);
    expect(harness.queryCache.stats()).toMatchObject({ entries: 0, bytes: 0, evictions: 0 });
  });

  it('encodes an entry once for all callers, and again after a failure', async () => {
    const { entry } = await harness.askAndRun('rows');
    await expect(entry!.coded('br', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    let made = 0;
    const code = async () => Buffer.from(`coded ${(made += 1)}`);
    const bodies = await Promise.all([entry!.coded('br', code), entry!.coded('br', code), entry!.coded('gzip', code)]);
    expect(bodies.map((body) => Buffer.from(body).toString())).toEqual(['coded 1', 'coded 1', 'coded 2']);
  });
});
