/**
 * Cache of query results: returns fresh entries, joins equal runs, and refreshes requested entries in the background.
 * Contains nothing of HTTP or permissions: requests are authorized before.
 */
import { ServiceError } from '#contract/errors';
import type { QueryResult } from '#contract/queries/result';
import type { Clock } from '../common/clock';
import { cacheKey, type QueryKeyInput } from './cache-key';
import type { CachedResult, CachedRun, CachePolicy, EntryTarget } from './cached-result';
import { CacheRefresher } from './cache-refresher';
import { RefreshSchedule, type WarmOutcome } from './refresh-schedule';
import { type CacheContents, type CacheLimits, ResultCache } from './result-cache';
import type { RunQuery } from './run';
import { type CompletedRun, RunFlights, type RunOutcome } from './run-flights';
import type { SharedResults } from './shared-results';

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
export type CacheOutcome = (typeof CACHE_OUTCOMES)[number];
export const CACHE_OUTCOMES = ['hit', 'shared', 'miss', 'collapsed', 'refresh', 'bypass'] as const;

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

export interface QueryCacheSettings {
  readonly run: RunQuery;
  /** Whether a run of this owner would wait because of the owner's own limits. @default false */
  readonly isBlockedByOwner?: (queryRequest: QueryKeyInput, owner: string) => boolean;
  readonly clock: Clock;
  /** A limit of 0 turns the cache off. */
  readonly limits: CacheLimits;
  /** Maximum background runs at once. */
  readonly maxWarming: number;
  /** Null: results are not shared with other servers. */
  readonly shared: SharedResults | null;
}

const SWEEP_MS = 60_000;

export class QueryCache {
  /** Null: the cache is off. */
  private readonly cache: ResultCache | null;
  private readonly flights: RunFlights;
  private readonly schedule: RefreshSchedule;
  private readonly listeners: ((event: CacheEvent) => void)[] = [];
  private cancelSweep: () => void = () => undefined;

  constructor(private readonly settings: QueryCacheSettings) {
    const { run, clock, limits, maxWarming, shared } = settings;
    const isOn = limits.maxEntries > 0 && limits.maxBytes > 0;
    const store = (completed: CachedRun): CachedResult | null => this.store(completed);
    this.flights = new RunFlights({ store, shared });
    const refresher = new CacheRefresher({
      run,
      store,
      shared,
      flights: this.flights,
      onOutcome: (target, outcome) => this.onRefreshed(target, outcome),
    });
    this.schedule = new RefreshSchedule({
      clock,
      refresh: (target, stopped, isKept) => refresher.refresh(target, stopped, isKept),
      maxRunning: maxWarming,
    });
    this.cache = isOn ? new ResultCache(limits, clock, (key) => this.schedule.forget(key)) : null;
    if (this.cache) this.scheduleSweep();
    shared?.onPurge((endpointId) => this.forget(endpointId));
  }

  /** Returns the fresh entry that `getOrRun` would return without a run. */
  peek(queryRequest: QueryKeyInput, { cacheSeconds }: CachePolicy): CachedResult | undefined {
    return cacheSeconds === 0 ? undefined : this.cache?.get(cacheKey(queryRequest));
  }

  /** Counts a hit of an entry that `peek` returned. */
  recordHit(entry: CachedResult): Served {
    const served = this.hit(entry);
    this.emit({ kind: 'request', endpoint: entry.policy.endpoint, outcome: 'hit' });
    return served;
  }

  /** @throws ServiceError of the run; the signal's reason when it aborts */
  async getOrRun(queryRequest: QueryKeyInput, policy: CachePolicy, caller: Caller): Promise<Served> {
    const entry = caller.bypassCache ? undefined : this.peek(queryRequest, policy);
    if (entry) return this.recordHit(entry);
    const served =
      this.cache && policy.cacheSeconds !== 0
        ? await this.joinRun({ key: cacheKey(queryRequest), queryRequest, policy }, caller, this.cache)
        : await this.runUncached(queryRequest, caller);
    this.emit({ kind: 'request', endpoint: policy.endpoint, outcome: served.outcome });
    return served;
  }

  /** Drops all results of a saved query on this server, results of running queries too. */
  forget(endpointId: string): void {
    this.flights.forget(endpointId);
    this.schedule.forgetQuery(endpointId);
    this.cache?.purge(endpointId);
  }

  /** Drops all results of a deleted saved query. */
  remove(endpointId: string): void {
    this.forget(endpointId);
    void this.settings.shared?.remove(endpointId);
  }

  /**
   * Drops them on all servers that share results. @throws ServiceError `cache_unavailable` when Redis does not answer
   */
  async purge(endpointId: string): Promise<void> {
    const { shared } = this.settings;
    if (!shared) return this.forget(endpointId);
    // After the shared purge: until then a call could store the former result again.
    await shared.purge(endpointId).finally(() => this.forget(endpointId));
  }

  stats(): CacheStats {
    return { ...(this.cache?.contents() ?? { entries: 0, bytes: 0, evictions: 0 }), warm: this.schedule.size };
  }

  /** Fresh results, and results that are refreshed, by the id of their saved query. */
  countsByQuery(): { readonly fresh: ReadonlyMap<string, number>; readonly warm: ReadonlyMap<string, number> } {
    return { fresh: this.cache?.freshByQuery() ?? new Map<string, number>(), warm: this.schedule.sizeByQuery() };
  }

  /** The listener is called synchronously and must not throw. */
  onEvent(listener: (event: CacheEvent) => void): void {
    this.listeners.push(listener);
  }

  /** Stops refreshing. Calls are still answered, and purges of other servers still reach this one. */
  stop(): void {
    this.cancelSweep();
    this.schedule.stop();
  }

  /** Stops refreshing, and leaves the results that servers share. Called after the last call. */
  close(): void {
    this.stop();
    this.settings.shared?.stop();
  }

  private async runUncached(queryRequest: QueryKeyInput, caller: Caller): Promise<Served> {
    const { result } = await this.settings.run(queryRequest, { ...caller, isBackground: false });
    return { result, outcome: 'bypass', entry: null };
  }

  /**
   * Joins an equal run or starts one: also where the equal run waits for the limits of another token, which may take as
   * long as a run. Starts again when the joined run was refused because of the caller that started it.
   */
  private async joinRun(target: EntryTarget, caller: Caller, cache: ResultCache): Promise<Served> {
    const { isBlockedByOwner } = this.settings;
    for (;;) {
      const entry = caller.bypassCache ? undefined : cache.get(target.key);
      if (entry) return this.hit(entry);
      const flight = {
        owner: caller.owner,
        forceNew: caller.bypassCache,
        mayWaitFor: (owner: string) => owner === caller.owner || !isBlockedByOwner?.(target.queryRequest, owner),
        start: (signal: AbortSignal, begin: () => void) => this.sharedOrRun(target, { ...caller, signal }, begin),
      };
      const subscription = this.flights.join(target, flight, caller.signal);
      try {
        const outcome = await subscription.outcome;
        if (outcome.entry) this.schedule.touch(outcome.entry);
        return { ...outcome, outcome: outcomeOf(outcome, caller, subscription.joined) };
      } catch (error) {
        if (!isRefusalOfAnother(error, subscription.owner, caller.owner)) throw error;
      }
    }
  }

  /** Returns the result of another server unless the caller bypasses the cache; otherwise runs the query here. */
  private async sharedOrRun(target: EntryTarget, caller: Caller, onStart: () => void): Promise<CompletedRun> {
    const { run, shared } = this.settings;
    const found = await shared?.find(target);
    if (found?.run && !caller.bypassCache) return { run: found.run, isShared: true, slot: null };
    const completed = await run(target.queryRequest, { ...caller, isBackground: false, onStart });
    return { run: completed, isShared: false, slot: found?.slot ?? null };
  }

  private hit(entry: CachedResult): Served {
    this.schedule.touch(entry);
    return { result: entry.result, outcome: 'hit', entry };
  }

  private store(run: CachedRun): CachedResult | null {
    const entry = this.cache?.put(run) ?? null;
    if (entry) this.schedule.onStored(entry);
    return entry;
  }

  private onRefreshed({ key, policy }: EntryTarget, outcome: WarmOutcome): void {
    if (outcome === 'failed') this.cache?.noteFailedRefresh(key);
    this.emit({ kind: 'warm_run', endpoint: policy.endpoint, outcome });
  }

  private scheduleSweep(): void {
    this.cancelSweep = this.settings.clock.setTimer(() => {
      this.cache?.sweep();
      this.scheduleSweep();
    }, SWEEP_MS);
  }

  private emit(event: CacheEvent): void {
    for (const listener of this.listeners) listener(event);
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
