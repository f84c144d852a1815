/** The cache in front of shared results: which it takes over, which it shares, and which server refreshes them. */
import type { QueryCache } from '#server/cache/query-cache';
import { instantOf } from '#server/cache/instant';
import type { SharedFinding, SharedRenewal, SharedResults } from '#server/cache/shared-results';
import { createHarness, type Harness, POLICY, QUERY_REQUEST, textOf } from '../../support/fakes/query-cache';
import { settle } from '../../support/fakes/clock';

const SLOT = { target: { key: 'k', queryRequest: QUERY_REQUEST, policy: POLICY }, name: 'n', generation: 'first:1' };
const LIMITS = { maxEntries: 100, maxBytes: 1_000_000 };

let harness: Harness;
let queryCache: QueryCache;
let finding: SharedFinding;
let renewal: SharedRenewal | Promise<SharedRenewal>;
let kept: string[];
let released: number;
let purged: Promise<void>;
let removed: string[];
let isLeft: boolean;
let tellPurge: (endpointId: string) => void;
beforeEach(() => {
  finding = { run: null, slot: SLOT };
  kept = [];
  removed = [];
  isLeft = false;
  released = 0;
  purged = Promise.resolve();
  renewal = { kind: 'here', slot: SLOT, done: () => void (released += 1) };
  const shared: SharedResults = {
    isUp: true,
    find: async () => finding,
    keep: async (_slot, { result }) => void kept.push(Buffer.from(result.bytes).toString()),
    renew: async () => renewal,
    purge: () => purged,
    remove: async (endpointId) => void removed.push(endpointId),
    onPurge: (listener) => void (tellPurge = listener),
    onEvent: () => undefined,
    stop: () => void (isLeft = true),
  };
  harness = createHarness(LIMITS, shared);
  queryCache = harness.queryCache;
});
afterEach(() => queryCache.close());

/** A result of another server, made some time ago. */
function elsewhere(text: string, agoMs = 0): NonNullable<SharedFinding['run']> {
  const { wallMs, monotonicMs } = instantOf(harness.clock);
  return {
    result: {
      format: 'json',
      bytes: Buffer.from(text),
      fields: [],
      rows: 1,
      truncated: false,
      redacted: false,
      revision: 1,
      timings: { queueMs: 0, planMs: 0, dbMs: 0, redactMs: 0, encodeMs: 0 },
    },
    executedAt: { wallMs: wallMs - agoMs, monotonicMs: monotonicMs - agoMs },
  };
}

it('a result of another server is returned without a run, with its age, and cached in memory', async () => {
  finding = { run: elsewhere('theirs', 100_000), slot: SLOT };
  const first = await harness.ask();
  expect([first.outcome, textOf(first), first.entry!.ageSeconds(harness.clock)]).toEqual(['shared', 'theirs', 100]);
  finding = { run: null, slot: null };
  expect((await harness.ask()).outcome).toBe('hit');
  expect([harness.started, kept]).toEqual([[], []]);
});

it('the result of a run is shared, unless Redis did not answer the lookup', async () => {
  await harness.askAndRun('ours');
  finding = { run: null, slot: null };
  await harness.askAndRun('not published', { ...QUERY_REQUEST, meta: true });
  expect(kept).toEqual(['ours']);
});

it('a call that bypasses the cache runs even if another server has a result, and replaces that result', async () => {
  finding = { run: elsewhere('theirs'), slot: SLOT };
  const served = await harness.askAndRun('now', QUERY_REQUEST, { bypassCache: true });
  expect([served.outcome, textOf(served), kept]).toEqual(['refresh', 'now', ['now']]);
});

it('a run whose query another server purges is returned to its callers, and cached nowhere', async () => {
  const served = harness.ask();
  await settle();
  tellPurge(QUERY_REQUEST.endpointId);
  await harness.started[0]!.succeed('old');
  expect(await served).toMatchObject({ outcome: 'miss', entry: null });
  expect([kept, queryCache.stats().entries]).toEqual([[], 0]);
});

it('a purge that could not be shared is reported as failed, and still empties the local cache', async () => {
  await harness.askAndRun('old');
  purged = Promise.reject(new Error('no answer'));
  await expect(queryCache.purge(QUERY_REQUEST.endpointId)).rejects.toThrow('no answer');
  expect(queryCache.stats().entries).toBe(0);
});

it('a deleted saved query leaves no results, and nothing of it in Redis', async () => {
  await harness.askAndRun('old');
  queryCache.remove(QUERY_REQUEST.endpointId);
  expect([removed, queryCache.stats().entries]).toEqual([[QUERY_REQUEST.endpointId], 0]);
});

describe('a background refresh', () => {
  const warm = async (): Promise<void> => {
    await harness.askAndRun('first');
    kept.length = 0;
    await harness.clock.pass(POLICY.warmSeconds * 1000);
  };
  const outcomes = (): unknown[] =>
    harness.events.flatMap((event) => (event.kind === 'warm_run' ? [event.outcome] : []));

  it('takes over the result that another server refreshed, and runs itself one period later', async () => {
    await harness.askAndRun('first');
    await harness.clock.pass(POLICY.warmSeconds * 1000 - 1);
    renewal = { kind: 'found', run: elsewhere('theirs') };
    await harness.clock.pass(1);
    expect([textOf(await harness.ask()), outcomes(), harness.started.length]).toEqual(['theirs', ['shared'], 1]);
    renewal = { kind: 'here', slot: SLOT, done: () => undefined };
    await harness.clock.pass(POLICY.warmSeconds * 1000);
    expect(harness.started).toHaveLength(2);
  });

  it.each<[string, () => SharedRenewal]>([
    ['another server has it', () => ({ kind: 'found', run: elsewhere('theirs') })],
    ['this server is to run it', () => ({ kind: 'here', slot: SLOT, done: () => void (released += 1) })],
  ])('brings nothing back that was purged while it looked, when %s', async (_where, found) => {
    await harness.askAndRun('ours');
    let answer: (found: SharedRenewal) => void = () => undefined;
    renewal = new Promise((resolve) => (answer = resolve));
    await harness.clock.pass(300_000);
    const theirs = found();
    tellPurge(QUERY_REQUEST.endpointId);
    answer(theirs);
    await settle();
    expect([queryCache.stats().entries, harness.started.length]).toEqual([0, 1]);
    expect(released).toBe(theirs.kind === 'here' ? 1 : 0);
  });

  it('does not run while another server refreshes the result, and looks again a second later', async () => {
    renewal = { kind: 'elsewhere' };
    await warm();
    expect(harness.started).toHaveLength(1);
    renewal = { kind: 'found', run: elsewhere('theirs') };
    await harness.clock.pass(1000);
    expect([textOf(await harness.ask()), harness.started.length]).toEqual(['theirs', 1]);
  });

  it('shares its result, and releases its claim even when it fails', async () => {
    await warm();
    await harness.started[1]!.succeed('second');
    expect([kept, released]).toEqual([['second'], 1]);
    await harness.clock.pass(POLICY.warmSeconds * 1000);
    await harness.started[2]!.fail();
    expect([kept, released]).toEqual([['second'], 2]);
  });
});

it('until the server has ended its calls, purges of others reach it, and a stopped refresh releases its claim', async () => {
  await harness.askAndRun('old');
  await harness.clock.pass(300_000);
  queryCache.stop();
  await settle();
  expect([released, isLeft]).toEqual([1, false]);
  tellPurge(QUERY_REQUEST.endpointId);
  expect(queryCache.stats().entries).toBe(0);
  queryCache.close();
  expect(isLeft).toBe(true);
});
