/**
 * The cache against a model that fits on one page, with calls, purges and moving time in any order. Runs end at once,
 * so that the model has no running calls.
 */
import fc from 'fast-check';
import { cacheKey } from '#server/cache/cache-key';
import { createHarness, type Harness, queryRequestOf, textOf } from '../../support/fakes/query-cache';
import { settle } from '../../support/fakes/clock';

const MAX_ENTRIES = 3;
const CACHE_SECONDS = 10;
/** What is beyond its time is dropped that often, asked for or not. */
const SWEEP_SECONDS = 60;
const QUERIES = ['7d1a9fd0-0000-4000-8000-00000000000a', '7d1a9fd0-0000-4000-8000-00000000000b'];
const POLICY = { endpoint: 'modelled', cacheSeconds: CACHE_SECONDS, warmSeconds: 0 };

interface Model {
  nowSeconds: number;
  runs: number;
  /** The one asked for longest ago is first. */
  readonly entries: Map<string, { readonly query: number; readonly ranAt: number; readonly text: string }>;
}

interface Real {
  readonly harness: Harness;
}

const queryRequestFor = (query: number, project: string) => queryRequestOf(project, { endpointId: QUERIES[query]! });

class Ask implements fc.AsyncCommand<Model, Real> {
  constructor(
    private readonly query: number,
    private readonly project: string,
    private readonly bypassCache: boolean
  ) {}

  check = () => true;

  async run(model: Model, { harness }: Real): Promise<void> {
    const queryRequest = queryRequestFor(this.query, this.project);
    const key = cacheKey(queryRequest);
    const known = model.entries.get(key);
    const isHit = known !== undefined && model.nowSeconds - known.ranAt < CACHE_SECONDS && !this.bypassCache;
    const startedBefore = harness.started.length;
    const call = harness.ask(queryRequest, { policy: POLICY, bypassCache: this.bypassCache });
    await settle();
    expect(harness.started.length - startedBefore).toBe(isHit ? 0 : 1);
    model.entries.delete(key);
    if (isHit) {
      model.entries.set(key, known);
    } else {
      model.runs += 1;
      model.entries.set(key, { query: this.query, ranAt: model.nowSeconds, text: `run ${model.runs}` });
      await harness.started.at(-1)!.succeed(`run ${model.runs}`);
      const [oldest] = model.entries.keys();
      if (model.entries.size > MAX_ENTRIES) model.entries.delete(oldest!);
    }
    const served = await call;
    const expected = model.entries.get(key)!;
    expect(served.outcome).toBe(isHit ? 'hit' : this.bypassCache ? 'refresh' : 'miss');
    expect(textOf(served)).toBe(expected.text);
    expect(served.entry!.ageSeconds(harness.clock)).toBe(model.nowSeconds - expected.ranAt);
    expect(harness.queryCache.stats().entries).toBeLessThanOrEqual(MAX_ENTRIES);
  }

  toString = () => `ask(${this.query}, ${this.project}${this.bypassCache ? ', bypassCache' : ''})`;
}

class Wait implements fc.AsyncCommand<Model, Real> {
  constructor(private readonly seconds: number) {}

  check = () => true;

  async run(model: Model, { harness }: Real): Promise<void> {
    await harness.clock.pass(this.seconds * 1000);
    model.nowSeconds += this.seconds;
    const sweptAt = Math.floor(model.nowSeconds / SWEEP_SECONDS) * SWEEP_SECONDS;
    for (const [key, { ranAt }] of model.entries) if (sweptAt - ranAt >= CACHE_SECONDS) model.entries.delete(key);
  }

  toString = () => `wait(${this.seconds})`;
}

/** Time of day goes back: nothing changes, because no time goes by. */
class SetBack implements fc.AsyncCommand<Model, Real> {
  check = () => true;

  async run(_model: Model, { harness }: Real): Promise<void> {
    harness.clock.setTimeOfDay({ ms: -5000 });
  }

  toString = () => 'set back';
}

class Purge implements fc.AsyncCommand<Model, Real> {
  constructor(private readonly query: number) {}

  check = () => true;

  async run(model: Model, { harness }: Real): Promise<void> {
    await harness.queryCache.purge(QUERIES[this.query]!);
    for (const [key, { query }] of model.entries) if (query === this.query) model.entries.delete(key);
  }

  toString = () => `purge(${this.query})`;
}

it('the cache returns what the model returns after any sequence of calls, purges and clock steps', async () => {
  const query = fc.integer({ min: 0, max: 1 });
  const commands = fc.commands(
    [
      fc.tuple(query, fc.constantFrom('a', 'b', 'c'), fc.boolean()).map((args) => new Ask(...args)),
      fc.tuple(query, fc.constantFrom('a', 'b', 'c')).map(([of, project]) => new Ask(of, project, false)),
      fc.constantFrom(0, 1, 4, 9, 10, 51, 61).map((seconds) => new Wait(seconds)),
      query.map((of) => new Purge(of)),
      fc.constant(new SetBack()),
    ],
    { maxCommands: 40 }
  );
  await fc.assert(
    fc.asyncProperty(commands, (list) =>
      fc.asyncModelRun(
        () => ({
          model: { nowSeconds: 0, runs: 0, entries: new Map() },
          real: { harness: createHarness({ maxEntries: MAX_ENTRIES, maxBytes: 1_000_000 }) },
        }),
        list
      )
    ),
    { numRuns: 150 }
  );
}, 60_000);
