/** The cache with a runner whose runs end when the test says so, and a clock that the test moves. */
import { ServiceError } from '#contract/errors';
import type { QueryResult } from '#contract/queries/result';
import type { QueryKeyInput } from '#server/cache/cache-key';
import type { CachePolicy } from '#server/cache/cached-result';
import { type CacheEvent, QueryCache, type Served } from '#server/cache/query-cache';
import { instantOf } from '#server/cache/instant';
import type { CacheLimits } from '#server/cache/result-cache';
import type { Run, RunCaller } from '#server/cache/run';
import type { SharedResults } from '#server/cache/shared-results';
import { createManualClock, type ManualClock, settle } from './clock';

export const POLICY: CachePolicy = { endpoint: 'usage.api-counts', cacheSeconds: 900, warmSeconds: 300 };
export const UNCACHED: CachePolicy = { endpoint: 'logs.all', cacheSeconds: 0, warmSeconds: 0 };
export const COLD: CachePolicy = { ...POLICY, warmSeconds: 0 };

export const QUERY_REQUEST: QueryKeyInput = {
  endpointId: '7d1a9fd0-0000-4000-8000-000000000001',
  revision: 1,
  definition: 'd1',
  parameters: { interval: 'daily', project: 'abc' },
  adhoc: null,
  tenant: null,
  format: 'json',
  timestamps: 'native',
  meta: false,
  redact: false,
  maxRows: 1000,
  maxBytes: 8_388_608,
  timeoutMs: 10_000,
};

export function queryRequestOf(project: string, rest: Partial<QueryKeyInput> = {}): QueryKeyInput {
  return { ...QUERY_REQUEST, parameters: { interval: 'daily', project }, ...rest };
}

/** A run that has begun. */
export interface StartedRun {
  readonly queryRequest: QueryKeyInput;
  /** Null: in the background. */
  readonly owner: string | null;
  readonly signal: AbortSignal;
  /** @param text the bytes of the result */
  succeed(text: string): Promise<void>;
  fail(error?: Error): Promise<void>;
}

export interface AskOptions {
  readonly policy?: CachePolicy;
  readonly owner?: string;
  readonly bypassCache?: boolean;
  readonly signal?: AbortSignal;
}

export interface Harness {
  readonly clock: ManualClock;
  readonly queryCache: QueryCache;
  readonly started: StartedRun[];
  readonly events: CacheEvent[];
  /** When false, background runs wait for their place. */
  hasIdlePlace: boolean | 'refused';
  ask(queryRequest?: QueryKeyInput, options?: AskOptions): Promise<Served>;
  /** Asks, and lets the run that this starts bring the text. */
  askAndRun(text: string, queryRequest?: QueryKeyInput, options?: AskOptions): Promise<Served>;
}

export function createHarness(
  limits: CacheLimits = { maxEntries: 1000, maxBytes: 1_000_000 },
  shared: SharedResults | null = null
): Harness {
  const clock = createManualClock();
  const started: StartedRun[] = [];
  const events: CacheEvent[] = [];

  /** Background runs wait until there is a permit. */
  async function run(queryRequest: QueryKeyInput, { owner, isBackground, signal, onStart }: RunCaller): Promise<Run> {
    if (isBackground) await idlePlace(signal);
    onStart?.();
    return start(queryRequest, isBackground ? null : owner, signal);
  }

  async function idlePlace(signal: AbortSignal): Promise<void> {
    if (harness.hasIdlePlace === 'refused') throw new ServiceError('overloaded', 'no place');
    while (!harness.hasIdlePlace) {
      signal.throwIfAborted();
      await new Promise(setImmediate);
    }
  }

  async function start(queryRequest: QueryKeyInput, owner: string | null, signal: AbortSignal): Promise<Run> {
    signal.throwIfAborted();
    const executedAt = instantOf(clock);
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      started.push({
        queryRequest,
        owner,
        signal,
        succeed: (text) => (resolve({ result: textResult(queryRequest, text), executedAt }), settle()),
        fail: (error = new Error('the run has failed')) => (reject(error), settle()),
      });
    });
  }

  const queryCache = new QueryCache({
    run,
    clock,
    limits,
    maxWarming: 1,
    shared,
  });
  queryCache.onEvent((event) => events.push(event));
  const harness: Harness = {
    clock,
    queryCache,
    started,
    events,
    hasIdlePlace: true,
    ask: (queryRequest = QUERY_REQUEST, { policy = POLICY, owner = 'a', bypassCache = false, signal } = {}) =>
      queryCache.getOrRun(queryRequest, policy, { owner, bypassCache, signal: signal ?? new AbortController().signal }),
    async askAndRun(text, queryRequest, options) {
      const served = harness.ask(queryRequest, options);
      await settle();
      await started.at(-1)!.succeed(text);
      return served;
    },
  };
  return harness;
}

export const textOf = ({ result }: Served): string => Buffer.from(result.bytes).toString();

function textResult(queryRequest: QueryKeyInput, text: string): QueryResult {
  return {
    format: queryRequest.format,
    bytes: Buffer.from(text),
    fields: [{ name: 'n', type: 'INT64' }],
    rows: 1,
    truncated: false,
    redacted: queryRequest.redact,
    revision: queryRequest.revision,
    timings: { queueMs: 0, planMs: 0, dbMs: 0, redactMs: 0, encodeMs: 0 },
  };
}
