/** Refreshes cached results in the background as long as clients request them. */
import type { Clock } from '../clock';
import type { CachedRun } from './cached-result';
import { elapsedMs, type Instant, instantOf } from './instant';

/** Maximum results of one saved query that are refreshed: the most recently requested ones. */
export const MAX_WARM_PER_QUERY = 100;
/** Delay after a run that got no permit. */
const RETRY_MS = 1000;

/**
 * Outcome of a refresh. `skipped`: the run got no permit, or an equal run was faster; `shared`: the result of another
 * server was taken.
 */
export type WarmOutcome = 'ok' | 'shared' | 'failed' | 'skipped';

/** Refreshes one result. Never rejects. */
export type Refresh = (run: WarmRun, signal: AbortSignal) => Promise<WarmOutcome>;

export interface CacheRefresherSettings {
  readonly clock: Clock;
  readonly refresh: Refresh;
  /** Maximum concurrent refreshes. */
  readonly maxRunning: number;
}

export type WarmRun = Pick<CachedRun, 'key' | 'question' | 'policy'>;

interface Watched {
  readonly run: WarmRun;
  askedAt: Instant;
  /** Null while the refresh is due or runs. */
  cancelTimer: (() => void) | null;
}

export class CacheRefresher {
  /** Ordered from the least to the most recently requested. */
  private readonly watched = new Map<string, Watched>();
  private readonly due = new Set<Watched>();
  private readonly stopped = new AbortController();
  private readonly clock: Clock;
  private running = 0;

  constructor(private readonly settings: CacheRefresherSettings) {
    this.clock = settings.clock;
  }

  /** Number of results that are being kept fresh. */
  get size(): number {
    return this.watched.size;
  }

  /** Records that a client requested this result. */
  touch(result: CachedRun): void {
    const known = this.watched.get(result.key);
    if (known) {
      known.askedAt = instantOf(this.clock);
      this.watched.delete(result.key);
      this.watched.set(result.key, known);
    } else if (result.policy.warmSeconds > 0 && !this.stopped.signal.aborted) {
      this.watch(result);
    }
  }

  /** Plans the next refresh after a new result was stored, for a client or by a refresh. */
  onStored(result: CachedRun): void {
    const known = this.watched.get(result.key);
    if (known) this.plan(known, this.remainingMs(result));
  }

  forget(key: string): void {
    const watched = this.watched.get(key);
    if (watched) this.drop(watched);
  }

  forgetQuery(endpointId: string): void {
    for (const watched of [...this.watched.values()])
      if (watched.run.question.endpointId === endpointId) this.drop(watched);
  }

  /** Aborts running refreshes and starts no more. */
  stop(): void {
    this.stopped.abort(new Error('refreshing has ended'));
    for (const watched of [...this.watched.values()]) this.drop(watched);
  }

  private watch(result: CachedRun): void {
    const { key, question, policy } = result;
    const watched: Watched = {
      run: { key, question, policy },
      askedAt: instantOf(this.clock),
      cancelTimer: null,
    };
    this.makeRoom(question.endpointId);
    this.watched.set(key, watched);
    this.plan(watched, this.remainingMs(result));
  }

  private makeRoom(endpointId: string): void {
    let oldest: Watched | undefined;
    let count = 0;
    for (const watched of this.watched.values()) {
      if (watched.run.question.endpointId !== endpointId) continue;
      oldest ??= watched;
      count += 1;
    }
    if (oldest && count >= MAX_WARM_PER_QUERY) this.drop(oldest);
  }

  private remainingMs({ executedAt, policy }: CachedRun): number {
    return Math.max(0, policy.warmSeconds * 1000 - elapsedMs(executedAt, this.clock));
  }

  private plan(watched: Watched, delayMs: number): void {
    watched.cancelTimer?.();
    this.due.delete(watched);
    watched.cancelTimer = this.clock.setTimer(() => this.onDue(watched), delayMs);
  }

  private onDue(watched: Watched): void {
    watched.cancelTimer = null;
    if (elapsedMs(watched.askedAt, this.clock) > watched.run.policy.cacheSeconds * 1000) {
      this.drop(watched);
      return;
    }
    this.due.add(watched);
    this.work();
  }

  private work(): void {
    const [next] = this.due;
    if (!next || this.running === this.settings.maxRunning) return;
    this.due.delete(next);
    this.running += 1;
    void this.settings.refresh(next.run, this.stopped.signal).then((outcome) => {
      this.running -= 1;
      this.planNext(next, outcome);
      this.work();
    });
    this.work();
  }

  private planNext(watched: Watched, outcome: WarmOutcome): void {
    // A new result has planned its own refresh; a dropped one has none.
    if (watched.cancelTimer || this.watched.get(watched.run.key) !== watched) return;
    this.plan(watched, outcome === 'skipped' ? RETRY_MS : watched.run.policy.warmSeconds * 1000);
  }

  private drop(watched: Watched): void {
    watched.cancelTimer?.();
    this.due.delete(watched);
    if (this.watched.get(watched.run.key) === watched) this.watched.delete(watched.run.key);
  }
}
