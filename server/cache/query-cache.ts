/**
 * Cache of query results: returns fresh entries, joins equal runs, and refreshes requested entries in the background.
 * Contains nothing of HTTP or permissions: requests are authorized before.
 */
import { ServiceError } from '#contract/errors';
import type { QueryResult } from '#contract/result';
import type { Clock } from '../clock';
import { cacheKey, type QueryKeyInput } from './cache-key';
import type { CachedResult, CachePolicy } from './cached-result';
import type { Instant } from './instant';
import { type CacheContents, type CacheLimits, ResultCache } from './result-cache';
import type { SharedResults, SharedSlot } from './shared-results';
import { type FlightHandle, SingleFlight } from './single-flight';
import { CacheRefresher, type WarmOutcome, type WarmRun } from './cache-refresher';

export interface Run {
  readonly result: QueryResult;
  /** The "now" of the run. */
  readonly executedAt: Instant;
}

/** The caller that a query runs for. */
export interface RunCaller {
  /** Owner of the permit: the id of a token, or an internal name for background work. */
  readonly owner: string;
  /** Background run without a waiting client: it gets a permit only when no client waits for one. */
  readonly isBackground: boolean;
  /** Trace id for the log, when the run ends an engine process. */
  readonly traceId?: string;
  /** Aborts when the client closes the connection; the run rejects with its reason. */
  readonly signal: AbortSignal;
  /** Called when the run has its permit and begins. */
  readonly onStart?: () => void;
}

/** Runs a query without looking into the cache. */
export type RunQuery = (question: QueryKeyInput, caller: RunCaller) => Promise<Run>;

export interface Caller {
  /** Owner of the permit: the id of the token. */
  readonly owner: string;
  /** Trace id for the log, when the run ends an engine process. */
  readonly traceId?: string;
  /** Aborts when the client closes the connection. */
  readonly signal: AbortSignal;
  /** Runs the query even when a result is cached. The scope was checked before. */
  readonly bypassCache: boolean;
}

/**
 * `hit`: from the cache; `shared`: another server ran it; `miss`: run; `collapsed`: joined the run of another caller;
 * `refresh`: run because the caller bypasses the cache; `bypass`: never cached.
 */
export type CacheOutcome = 'hit' | 'shared' | 'miss' | 'collapsed' | 'refresh' | 'bypass';

export interface Served {
  readonly result: QueryResult;
  readonly outcome: CacheOutcome;
  /** Cache entry of the result; null when it is not cached. */
  readonly entry: CachedResult | null;
}

/** Events for metrics. `endpoint` is the name of a saved query. */
export type CacheEvent =
  | { readonly kind: 'request'; readonly endpoint: string; readonly outcome: CacheOutcome }
  | { readonly kind: 'warm_run'; readonly endpoint: string; readonly outcome: WarmOutcome };

export interface CacheStats extends CacheContents {
  /** Number of results that are refreshed. */
  readonly warm: number;
}

export interface QueryCache {
  /** The fresh entry that `getOrRun` would return without a run. */
  peek(question: QueryKeyInput, policy: CachePolicy): CachedResult | undefined;
  /** Counts a hit of an entry that `peek` returned. */
  recordHit(entry: CachedResult): Served;
  /** @throws ServiceError of the run; the signal's reason when it aborts */
  getOrRun(question: QueryKeyInput, policy: CachePolicy, caller: Caller): Promise<Served>;
  /** Drops all results of a saved query on this server, results of running queries too. */
  forget(endpointId: string): void;
  /**
   * Drops them on all servers that share results. @throws ServiceError `cache_unavailable` when Redis does not answer
   */
  purge(endpointId: string): Promise<void>;
  stats(): CacheStats;
  /** The listener is called synchronously and must not throw. */
  onEvent(listener: (event: CacheEvent) => void): void;
  /** Stops refreshing. */
  stop(): void;
}

export interface QueryCacheSettings {
  readonly run: RunQuery;
  readonly clock: Clock;
  /** A limit of 0 turns the cache off. */
  readonly limits: CacheLimits;
  /** Maximum background runs at once. */
  readonly maxWarming: number;
  /** Null: results are not shared with other servers. */
  readonly shared: SharedResults | null;
}

/** Outcome of one run for all its subscribers. */
type RunOutcome = Pick<Served, 'result' | 'entry'> & { readonly isShared: boolean };

/** Result of a run before it is cached. */
interface CompletedRun {
  readonly run: Run;
  /** True when another server ran it. */
  readonly isShared: boolean;
  /** Slot of the shared entry; null: not shared. */
  readonly slot: SharedSlot | null;
}

/** Owner of background runs. No token has this id. */
const REFRESHER = 'warmer';
const SWEEP_MS = 60_000;

export function createQueryCache({ run, clock, limits, maxWarming, shared }: QueryCacheSettings): QueryCache {
  const isOn = limits.maxEntries > 0 && limits.maxBytes > 0;
  const refresher = new CacheRefresher({ clock, refresh, maxRunning: maxWarming });
  const cache = isOn ? new ResultCache(limits, clock, (key) => refresher.forget(key)) : null;
  const flights = new SingleFlight<RunOutcome>();
  const listeners: ((event: CacheEvent) => void)[] = [];
  let cancelSweep = cache ? clock.setTimer(sweep, SWEEP_MS) : () => undefined;

  shared?.onPurge(forget);

  return {
    peek,
    recordHit,
    getOrRun,
    forget,
    purge,
    stats,
    onEvent: (listener) => void listeners.push(listener),
    stop,
  };

  function peek(question: QueryKeyInput, { cacheSeconds }: CachePolicy): CachedResult | undefined {
    return cacheSeconds === 0 ? undefined : cache?.get(cacheKey(question));
  }

  function recordHit(entry: CachedResult): Served {
    refresher.touch(entry);
    emit({ kind: 'request', endpoint: entry.policy.endpoint, outcome: 'hit' });
    return { result: entry.result, outcome: 'hit', entry };
  }

  async function getOrRun(question: QueryKeyInput, policy: CachePolicy, caller: Caller): Promise<Served> {
    const entry = caller.bypassCache ? undefined : peek(question, policy);
    if (entry) return recordHit(entry);
    const served = await serve(question, policy, caller);
    emit({ kind: 'request', endpoint: policy.endpoint, outcome: served.outcome });
    return served;
  }

  async function serve(question: QueryKeyInput, policy: CachePolicy, caller: Caller): Promise<Served> {
    if (!cache || policy.cacheSeconds === 0) {
      const { result } = await run(question, { ...caller, isBackground: false });
      return { result, outcome: 'bypass', entry: null };
    }
    const key = cacheKey(question);
    for (;;) {
      const entry = caller.bypassCache ? undefined : cache.get(key);
      if (entry) {
        refresher.touch(entry);
        return { result: entry.result, outcome: 'hit', entry };
      }
      const subscription = flights.join(
        {
          key,
          group: question.endpointId,
          owner: caller.owner,
          forceNew: caller.bypassCache,
          start: (handle) => {
            const runHere = (): Promise<Run> =>
              run(question, { ...caller, isBackground: false, signal: handle.signal });
            const target = { key, question, policy };
            return settle(target, sharedOrRun(target, caller.bypassCache, runHere), handle);
          },
        },
        caller.signal
      );
      try {
        const outcome = await subscription.outcome;
        if (outcome.entry) refresher.touch(outcome.entry);
        return { ...outcome, outcome: outcomeOf(outcome, caller, subscription.joined) };
      } catch (error) {
        if (!isRefusalOfAnother(error, subscription.owner, caller.owner)) throw error;
      }
    }
  }

  /** The result of another server unless the caller bypasses the cache; otherwise a run of this server. */
  async function sharedOrRun(
    target: WarmRun,
    bypassCache: boolean,
    runHere: () => Promise<Run>
  ): Promise<CompletedRun> {
    const found = await shared?.find(target);
    if (found?.run && !bypassCache) return { run: found.run, isShared: true, slot: null };
    return { run: await runHere(), isShared: false, slot: found?.slot ?? null };
  }

  async function settle(target: WarmRun, arriving: Promise<CompletedRun>, handle: FlightHandle): Promise<RunOutcome> {
    const { run: arrived, isShared, slot } = await arriving;
    const { result, executedAt } = arrived;
    // Results purged while the run was in flight are not cached.
    if (!handle.isCurrent()) return { result, entry: null, isShared };
    if (slot) void shared?.keep(slot, arrived);
    const entry = cache?.put({ ...target, result, executedAt }) ?? null;
    if (entry) refresher.onStored(entry);
    return { result, entry, isShared };
  }

  /** Clients may join the run once it has its permit; before that they would wait behind every other run. */
  async function refresh(target: WarmRun, stopped: AbortSignal): Promise<WarmOutcome> {
    const { key, question, policy } = target;
    if (flights.isRunning(key)) return 'skipped';
    const renewal = await shared?.renew(target);
    if (stopped.aborted || renewal?.kind === 'elsewhere') return 'skipped';
    if (renewal?.kind === 'found') return storeShared(target, renewal.run);
    const ended = new AbortController();
    const end = (): void => ended.abort(stopped.reason);
    stopped.addEventListener('abort', end, { once: true });
    let isOvertaken = false;
    const onStart = (): void => {
      isOvertaken = flights.isRunning(key);
      if (isOvertaken) ended.abort(new Error('an equal run of a client was faster'));
      else announce(target, arriving, stopped);
    };
    const running = run(question, { owner: REFRESHER, isBackground: true, signal: ended.signal, onStart });
    const arriving = running.then((made) => ({ run: made, isShared: false, slot: renewal?.slot ?? null }));
    arriving.catch(() => undefined);
    const outcome = await running.then(
      () => 'ok' as const,
      (error: unknown) => (isOvertaken || stopped.aborted || isRefusal(error) ? 'skipped' : 'failed')
    );
    stopped.removeEventListener('abort', end);
    renewal?.done();
    if (outcome === 'failed') cache?.noteFailedRefresh(key);
    emit({ kind: 'warm_run', endpoint: policy.endpoint, outcome });
    return outcome;
  }

  /** Stores the newer result of another server. */
  function storeShared(target: WarmRun, { result, executedAt }: Run): WarmOutcome {
    const entry = flights.isRunning(target.key) ? null : cache?.put({ ...target, result, executedAt });
    if (entry) refresher.onStored(entry);
    emit({ kind: 'warm_run', endpoint: target.policy.endpoint, outcome: 'shared' });
    return 'shared';
  }

  /**
   * Registers a background run as a flight, so that clients join it. The refresher is the first subscriber and leaves
   * only when refreshing stops.
   */
  function announce(target: WarmRun, arriving: Promise<CompletedRun>, stopped: AbortSignal): void {
    const start = (handle: FlightHandle): Promise<RunOutcome> => settle(target, arriving, handle);
    const { key, question } = target;
    flights.join({ key, group: question.endpointId, owner: REFRESHER, start }, stopped).outcome.catch(() => undefined);
  }

  function forget(endpointId: string): void {
    flights.forget(endpointId);
    refresher.forgetQuery(endpointId);
    cache?.purge(endpointId);
  }

  async function purge(endpointId: string): Promise<void> {
    if (!shared) return forget(endpointId);
    // After the shared purge: until then a call could store the former result again.
    await shared.purge(endpointId).finally(() => forget(endpointId));
  }

  function stats(): CacheStats {
    return { ...(cache?.contents() ?? { entries: 0, bytes: 0, evictions: 0 }), warm: refresher.size };
  }

  function sweep(): void {
    cache?.sweep();
    cancelSweep = clock.setTimer(sweep, SWEEP_MS);
  }

  function stop(): void {
    cancelSweep();
    shared?.stop();
    refresher.stop();
  }

  function emit(event: CacheEvent): void {
    for (const listener of listeners) listener(event);
  }
}

function outcomeOf({ isShared }: RunOutcome, { bypassCache }: Caller, joined: boolean): CacheOutcome {
  if (bypassCache) return 'refresh';
  if (isShared) return 'shared';
  return joined ? 'collapsed' : 'miss';
}

/** The joined run was refused because of its own owner: the other subscribers run it again. */
function isRefusalOfAnother(error: unknown, owner: string, caller: string): boolean {
  return owner !== caller && error instanceof ServiceError && error.status === 429;
}

/** The run got no permit. */
function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === 'overloaded' || error.code === 'concurrency_limited');
}
