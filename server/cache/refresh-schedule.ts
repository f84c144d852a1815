/** Plans when cached results are refreshed: as long as clients request them, and a few at a time. */
import type { Clock } from '../common/clock';
import type { CachedRun, EntryTarget } from './cached-result';
import { elapsedMs, type Instant, instantOf } from './instant';

/** Maximum results of one saved query that are refreshed: the most recently requested ones. */
export const MAX_WARM_PER_QUERY = 100;
/** Delay after a run that got no permit. */
const RETRY_MS = 1000;

/**
 * Outcome of a refresh. `skipped`: the run got no permit, or an equal run was faster; `shared`: the result of another
 * server was taken.
 */
export type WarmOutcome = (typeof WARM_OUTCOMES)[number];
export const WARM_OUTCOMES = ['ok', 'shared', 'failed', 'skipped'] as const;

/** Refreshes one result. Never rejects. @param isKept whether it is still to be refreshed */
export type Refresh = (target: EntryTarget, signal: AbortSignal, isKept: () => boolean) => Promise<WarmOutcome>;

export interface RefreshScheduleSettings {
  readonly clock: Clock;
  readonly refresh: Refresh;
  /** Maximum concurrent refreshes. */
  readonly maxRunning: number;
}

/** A result that is kept fresh. */
interface WarmEntry {
  readonly target: EntryTarget;
  requestedAt: Instant;
  /** Null while the refresh is due or runs. */
  cancelTimer: (() => void) | null;
}

export class RefreshSchedule {
  /** Ordered from the least to the most recently requested. */
  private readonly entries = new Map<string, WarmEntry>();
  private readonly due = new Set<WarmEntry>();
  private readonly stopped = new AbortController();
  private readonly clock: Clock;
  private running = 0;

  constructor(private readonly settings: RefreshScheduleSettings) {
    this.clock = settings.clock;
  }

  /** Number of results that are being kept fresh. */
  get size(): number {
    return this.entries.size;
  }

  /** Number of results of each saved query that are being kept fresh. */
  sizeByQuery(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { target } of this.entries.values()) {
      const { endpointId } = target.queryRequest;
      counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
    }
    return counts;
  }

  /** Records that a client requested this result. */
  touch(result: CachedRun): void {
    const entry = this.entries.get(result.key);
    if (entry) {
      entry.requestedAt = instantOf(this.clock);
      this.entries.delete(result.key);
      this.entries.set(result.key, entry);
    } else if (result.policy.warmSeconds > 0 && !this.stopped.signal.aborted) {
      this.add(result);
    }
  }

  /** Plans the next refresh after a new result was stored, for a client or by a refresh. */
  onStored(result: CachedRun): void {
    const entry = this.entries.get(result.key);
    if (entry) this.plan(entry, this.remainingMs(result));
  }

  forget(key: string): void {
    const entry = this.entries.get(key);
    if (entry) this.drop(entry);
  }

  forgetQuery(endpointId: string): void {
    for (const entry of [...this.entries.values()])
      if (entry.target.queryRequest.endpointId === endpointId) this.drop(entry);
  }

  /** Aborts running refreshes and starts no more. */
  stop(): void {
    this.stopped.abort(new Error('refreshing has ended'));
    for (const entry of [...this.entries.values()]) this.drop(entry);
  }

  private add(result: CachedRun): void {
    const { key, queryRequest, policy } = result;
    const entry: WarmEntry = {
      target: { key, queryRequest, policy },
      requestedAt: instantOf(this.clock),
      cancelTimer: null,
    };
    this.makeRoom(queryRequest.endpointId);
    this.entries.set(key, entry);
    this.plan(entry, this.remainingMs(result));
  }

  private makeRoom(endpointId: string): void {
    let oldest: WarmEntry | undefined;
    let count = 0;
    for (const entry of this.entries.values()) {
      if (entry.target.queryRequest.endpointId !== endpointId) continue;
      oldest ??= entry;
      count += 1;
    }
    if (oldest && count >= MAX_WARM_PER_QUERY) this.drop(oldest);
  }

  private remainingMs({ executedAt, policy }: CachedRun): number {
    return Math.max(0, policy.warmSeconds * 1000 - elapsedMs(executedAt, this.clock));
  }

  private plan(entry: WarmEntry, delayMs: number): void {
    entry.cancelTimer?.();
    this.due.delete(entry);
    entry.cancelTimer = this.clock.setTimer(() => this.onDue(entry), delayMs);
  }

  private onDue(entry: WarmEntry): void {
    entry.cancelTimer = null;
    if (elapsedMs(entry.requestedAt, this.clock) > entry.target.policy.cacheSeconds * 1000) {
      this.drop(entry);
      return;
    }
    this.due.add(entry);
    this.work();
  }

  private work(): void {
    const [next] = this.due;
    if (!next || this.running === this.settings.maxRunning) return;
    this.due.delete(next);
    this.running += 1;
    const isKept = (): boolean => this.entries.get(next.target.key) === next;
    void this.settings.refresh(next.target, this.stopped.signal, isKept).then((outcome) => {
      this.running -= 1;
      this.planNext(next, outcome);
      this.work();
    });
    this.work();
  }

  private planNext(entry: WarmEntry, outcome: WarmOutcome): void {
    // A new result has planned its own refresh; a dropped one has none.
    if (entry.cancelTimer || this.entries.get(entry.target.key) !== entry) return;
    this.plan(entry, outcome === 'skipped' ? RETRY_MS : entry.target.policy.warmSeconds * 1000);
  }

  private drop(entry: WarmEntry): void {
    entry.cancelTimer?.();
    this.due.delete(entry);
    if (this.entries.get(entry.target.key) === entry) this.entries.delete(entry.target.key);
  }
}
