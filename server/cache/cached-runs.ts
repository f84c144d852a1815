/**
 * Runs of queries behind a cache: a result within its time is given again, equal runs at the same time are one, and what is asked
 * for again and again is made anew in the background. Knows nothing of HTTP and nothing of who may ask: callers are let in before.
 */
import { ServiceError } from '#contract/errors';
import type { QueryResult } from '#contract/result';
import type { Clock } from '../clock';
import { cacheKey, type Question } from './cache-key';
import type { CachedResult, CachePolicy } from './cached-result';
import type { Moment } from './moment';
import { type CacheContents, type CacheLimits, ResultCache } from './result-cache';
import type { SharedResults, SharedSlot } from './shared-results';
import { type FlightHandle, SingleFlight } from './single-flight';
import { Warmer, type WarmOutcome, type WarmRun } from './warmer';

export interface Run {
  readonly result: QueryResult;
  /** The "now" of the run. */
  readonly ranAt: Moment;
}

/** For whom a query runs. */
export interface RunCaller {
  /** Whose places are counted: the id of a token, or a name of our own for background work. */
  readonly owner: string;
  /** Nobody waits for the result: it runs only when no caller could. */
  readonly isBackground: boolean;
  /** For the log, when the run costs a process. */
  readonly traceId?: string;
  /** The run rejects with its reason when the caller has gone. */
  readonly signal: AbortSignal;
  /** Called when it has its place and begins. */
  readonly onStart?: () => void;
}

/** Runs a query, whatever the cache holds. */
export type RunQuery = (question: Question, caller: RunCaller) => Promise<Run>;

export interface Caller {
  /** Whose place a run takes: the id of the token. */
  readonly owner: string;
  /** For the log, when the run costs a process. */
  readonly traceId?: string;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
  /** Wants rows of now; the caller may. */
  readonly afresh: boolean;
}

/**
 * `hit`: from the cache; `shared`: another server ran it; `miss`: run; `collapsed`: shared the run of another caller; `refresh`: run as the
 * caller wished; `bypass`: never cached.
 */
export type CacheOutcome = 'hit' | 'shared' | 'miss' | 'collapsed' | 'refresh' | 'bypass';

export interface Served {
  readonly result: QueryResult;
  readonly outcome: CacheOutcome;
  /** Where later callers find the same; null when they do not. */
  readonly held: CachedResult | null;
}

/** For metrics. `endpoint` is the name of a saved query. */
export type CacheEvent =
  | { readonly kind: 'request'; readonly endpoint: string; readonly outcome: CacheOutcome }
  | { readonly kind: 'warm_run'; readonly endpoint: string; readonly outcome: WarmOutcome };

export interface CacheStats extends CacheContents {
  /** Results that are kept warm. */
  readonly warm: number;
}

export interface CachedRuns {
  /** The result within its time that `ask` would give at once. */
  find(question: Question, policy: CachePolicy): CachedResult | undefined;
  /** What `ask` gives of a result that `find` has found, without a wait. */
  give(held: CachedResult): Served;
  /** @throws ServiceError of the run; the caller's reason when it has gone */
  ask(question: Question, policy: CachePolicy, caller: Caller): Promise<Served>;
  /** Forgets all results of a saved query, those that are being made too, on this server. */
  forget(endpointId: string): void;
  /** The same on all servers that share results. @throws ServiceError `cache_unavailable` when they could not be told */
  purge(endpointId: string): Promise<void>;
  stats(): CacheStats;
  /** Called with each event, at once; must not throw. */
  onEvent(listener: (event: CacheEvent) => void): void;
  /** Nothing is warmed any more. */
  stop(): void;
}

export interface CachedRunsSettings {
  readonly run: RunQuery;
  readonly clock: Clock;
  /** Nothing is cached when one of them is 0. */
  readonly limits: CacheLimits;
  /** Background runs at once. */
  readonly maxWarming: number;
  /** Null: this server caches for itself. */
  readonly shared: SharedResults | null;
}

/** What one run brings to all who wait for it. */
type Landing = Pick<Served, 'result' | 'held'> & { readonly isShared: boolean };

/** A result on its way to those who wait. */
interface Arrival {
  readonly run: Run;
  /** Another server ran it. */
  readonly isShared: boolean;
  /** Where other servers look for it; null: nowhere. */
  readonly slot: SharedSlot | null;
}

/** No token has this id. */
const WARMER = 'warmer';
const SWEEP_MS = 60_000;

export function createCachedRuns({ run, clock, limits, maxWarming, shared }: CachedRunsSettings): CachedRuns {
  const isOn = limits.maxEntries > 0 && limits.maxBytes > 0;
  const warmer = new Warmer({ clock, refresh: warm, maxRunning: maxWarming });
  const cache = isOn ? new ResultCache(limits, clock, (key) => warmer.forget(key)) : null;
  const flights = new SingleFlight<Landing>();
  const listeners: ((event: CacheEvent) => void)[] = [];
  let cancelSweep = cache ? clock.setTimer(sweep, SWEEP_MS) : () => undefined;

  shared?.onPurge(forget);

  return { find, give, ask, forget, purge, stats, onEvent: (listener) => void listeners.push(listener), stop };

  function find(question: Question, { cacheSeconds }: CachePolicy): CachedResult | undefined {
    return cacheSeconds === 0 ? undefined : cache?.get(cacheKey(question));
  }

  function give(held: CachedResult): Served {
    warmer.asked(held);
    tell({ kind: 'request', endpoint: held.policy.endpoint, outcome: 'hit' });
    return { result: held.result, outcome: 'hit', held };
  }

  async function ask(question: Question, policy: CachePolicy, caller: Caller): Promise<Served> {
    const held = caller.afresh ? undefined : find(question, policy);
    if (held) return give(held);
    const served = await serve(question, policy, caller);
    tell({ kind: 'request', endpoint: policy.endpoint, outcome: served.outcome });
    return served;
  }

  async function serve(question: Question, policy: CachePolicy, caller: Caller): Promise<Served> {
    if (!cache || policy.cacheSeconds === 0) {
      const { result } = await run(question, { ...caller, isBackground: false });
      return { result, outcome: 'bypass', held: null };
    }
    const key = cacheKey(question);
    for (;;) {
      const held = caller.afresh ? undefined : cache.get(key);
      if (held) {
        warmer.asked(held);
        return { result: held.result, outcome: 'hit', held };
      }
      const seat = flights.board(
        {
          key,
          group: question.endpointId,
          owner: caller.owner,
          afresh: caller.afresh,
          start: (handle) => {
            const runHere = (): Promise<Run> =>
              run(question, { ...caller, isBackground: false, signal: handle.signal });
            const asked = { key, question, policy };
            return land(asked, obtain(asked, caller.afresh, runHere), handle);
          },
        },
        caller.signal
      );
      try {
        const landing = await seat.outcome;
        if (landing.held) warmer.asked(landing.held);
        return { ...landing, outcome: outcomeOf(landing, caller, seat.joined) };
      } catch (error) {
        if (!isRefusalOfAnother(error, seat.owner, caller.owner)) throw error;
      }
    }
  }

  /** What another server has run, unless the caller wants rows of now; else a run of our own. */
  async function obtain(asked: WarmRun, afresh: boolean, runHere: () => Promise<Run>): Promise<Arrival> {
    const found = await shared?.find(asked);
    if (found?.run && !afresh) return { run: found.run, isShared: true, slot: null };
    return { run: await runHere(), isShared: false, slot: found?.slot ?? null };
  }

  async function land(asked: WarmRun, arriving: Promise<Arrival>, handle: FlightHandle): Promise<Landing> {
    const { run: arrived, isShared, slot } = await arriving;
    const { result, ranAt } = arrived;
    // What was purged meanwhile, or is being made anew, must not come back.
    if (!handle.isCurrent()) return { result, held: null, isShared };
    if (slot) void shared?.keep(slot, arrived);
    const held = cache?.put({ ...asked, result, ranAt }) ?? null;
    if (held) warmer.made(held);
    return { result, held, isShared };
  }

  /** Callers may join it as soon as it has its place, and not before: they would wait behind everybody else. */
  async function warm(asked: WarmRun, stopped: AbortSignal): Promise<WarmOutcome> {
    const { key, question, policy } = asked;
    if (flights.isUnderWay(key)) return 'skipped';
    const renewal = await shared?.renew(asked);
    if (stopped.aborted || renewal?.kind === 'elsewhere') return 'skipped';
    if (renewal?.kind === 'found') return takeOver(asked, renewal.run);
    const ended = new AbortController();
    const end = (): void => ended.abort(stopped.reason);
    stopped.addEventListener('abort', end, { once: true });
    let isBeaten = false;
    const onStart = (): void => {
      isBeaten = flights.isUnderWay(key);
      if (isBeaten) ended.abort(new Error('a caller was faster'));
      else board(asked, arriving, stopped);
    };
    const running = run(question, { owner: WARMER, isBackground: true, signal: ended.signal, onStart });
    const arriving = running.then((made) => ({ run: made, isShared: false, slot: renewal?.slot ?? null }));
    arriving.catch(() => undefined);
    const outcome = await running.then(
      () => 'ok' as const,
      (error: unknown) => (isBeaten || stopped.aborted || isRefusal(error) ? 'skipped' : 'failed')
    );
    stopped.removeEventListener('abort', end);
    renewal?.done();
    if (outcome === 'failed') cache?.noteFailedRefresh(key);
    tell({ kind: 'warm_run', endpoint: policy.endpoint, outcome });
    return outcome;
  }

  /** Another server has made it anew. */
  function takeOver(asked: WarmRun, { result, ranAt }: Run): WarmOutcome {
    const held = flights.isUnderWay(asked.key) ? null : cache?.put({ ...asked, result, ranAt });
    if (held) warmer.made(held);
    tell({ kind: 'warm_run', endpoint: asked.policy.endpoint, outcome: 'shared' });
    return 'shared';
  }

  /** Makes a background run known, so that callers join it. Who started it is not one of those whose leaving ends it. */
  function board(asked: WarmRun, arriving: Promise<Arrival>, stopped: AbortSignal): void {
    const start = (handle: FlightHandle): Promise<Landing> => land(asked, arriving, handle);
    const { key, question } = asked;
    flights.board({ key, group: question.endpointId, owner: WARMER, start }, stopped).outcome.catch(() => undefined);
  }

  function forget(endpointId: string): void {
    flights.detach(endpointId);
    warmer.forgetQuery(endpointId);
    cache?.purge(endpointId);
  }

  async function purge(endpointId: string): Promise<void> {
    if (!shared) return forget(endpointId);
    // Afterwards: until then a call could find the former result once more.
    await shared.purge(endpointId).finally(() => forget(endpointId));
  }

  function stats(): CacheStats {
    return { ...(cache?.contents() ?? { entries: 0, bytes: 0, evictions: 0 }), warm: warmer.size };
  }

  function sweep(): void {
    cache?.sweep();
    cancelSweep = clock.setTimer(sweep, SWEEP_MS);
  }

  function stop(): void {
    cancelSweep();
    shared?.stop();
    warmer.stop();
  }

  function tell(event: CacheEvent): void {
    for (const listener of listeners) listener(event);
  }
}

function outcomeOf({ isShared }: Landing, { afresh }: Caller, joined: boolean): CacheOutcome {
  if (afresh) return 'refresh';
  if (isShared) return 'shared';
  return joined ? 'collapsed' : 'miss';
}

/** The one whose run was joined has too many calls at once, or ended the engine: no reason for another to be refused. */
function isRefusalOfAnother(error: unknown, owner: string, caller: string): boolean {
  return owner !== caller && error instanceof ServiceError && error.status === 429;
}

/** There was no place for the run. */
function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === 'overloaded' || error.code === 'concurrency_limited');
}
