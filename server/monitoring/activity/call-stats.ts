/** Calls of the last hour by saved query. Memory: at most 5 kB for each saved query that was called in that hour. */
import type { Clock } from '../../common/clock';
import { addDuration, addHistogram, createHistogram, type DurationHistogram, quantileMs } from './duration-histogram';
import type { EndedCall } from './noted-call';
import { sinceOf, type Slice, type SliceLimits, sliceNumber, Slices } from './slices';

/** The current five minutes and the hour before them. */
const LIMITS: SliceLimits = { sliceMs: 5 * 60_000, count: 13 };

export interface QueryStats {
  /** Calls of the saved query itself; durations are those of these calls. */
  readonly calls: number;
  readonly adhocCalls: number;
  /** Calls answered with an error. */
  readonly failed: number;
  /** Calls answered by a cache. */
  readonly cached: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly maxMs: number | null;
  readonly lastCallAt: Date;
}

interface Counts {
  calls: number;
  adhocCalls: number;
  failed: number;
  cached: number;
  maxMs: number;
  readonly durations: DurationHistogram;
}

interface Kept {
  readonly slices: Slices<Counts>;
  lastCallMs: number;
  /** Stats of the slice with this number; null after another call. */
  known: { readonly number: number; readonly stats: QueryStats } | null;
}

export class CallStats {
  private readonly queries = new Map<string, Kept>();
  private readonly startedMs: number;
  private sweptAt: number;

  constructor(private readonly clock: Clock) {
    this.startedMs = clock.monotonicMs();
    this.sweptAt = sliceNumber(LIMITS, clock);
  }

  /** Start of the time that the stats are of. */
  get since(): Date {
    return sinceOf(LIMITS, this.clock, this.startedMs);
  }

  add({ endpointId, isAdhoc, durationMs, status, outcome }: EndedCall): void {
    let kept = this.queries.get(endpointId);
    if (kept === undefined) {
      kept = { slices: new Slices(LIMITS, this.clock, emptyCounts), lastCallMs: 0, known: null };
      this.queries.set(endpointId, kept);
    }
    kept.lastCallMs = this.clock.monotonicMs();
    kept.known = null;
    const counts = kept.slices.current();
    if (status !== null && status >= 400) counts.failed += 1;
    if (outcome === 'hit' || outcome === 'shared') counts.cached += 1;
    if (isAdhoc) counts.adhocCalls += 1;
    else {
      counts.calls += 1;
      counts.maxMs = Math.max(counts.maxMs, durationMs);
      addDuration(counts.durations, durationMs);
    }
    this.sweep();
  }

  /** Null: no call in the last hour. */
  of(endpointId: string): QueryStats | null {
    const kept = this.queries.get(endpointId);
    if (kept === undefined) return null;
    const number = sliceNumber(LIMITS, this.clock);
    if (kept.known?.number === number) return kept.known.stats;
    const slices = kept.slices.all();
    if (slices.length === 0) return null;
    const stats = this.sum(kept, slices);
    kept.known = { number, stats };
    return stats;
  }

  private sum({ lastCallMs }: Kept, slices: ReadonlyArray<Slice<Counts>>): QueryStats {
    const sum = emptyCounts();
    for (const { value } of slices) addCounts(sum, value);
    const { durations, maxMs, ...counts } = sum;
    return {
      ...counts,
      p50Ms: atMost(quantileMs(durations, 0.5), maxMs),
      p95Ms: atMost(quantileMs(durations, 0.95), maxMs),
      maxMs: sum.calls === 0 ? null : maxMs,
      lastCallAt: new Date(this.clock.now().getTime() - (this.clock.monotonicMs() - lastCallMs)),
    };
  }

  /** Forgets saved queries without a call in the last hour, deleted ones too; once in each slice. */
  private sweep(): void {
    const number = sliceNumber(LIMITS, this.clock);
    if (number === this.sweptAt) return;
    this.sweptAt = number;
    for (const [endpointId, { slices }] of this.queries) if (slices.all().length === 0) this.queries.delete(endpointId);
  }
}

function emptyCounts(): Counts {
  return { calls: 0, adhocCalls: 0, failed: 0, cached: 0, maxMs: 0, durations: createHistogram() };
}

function addCounts(sum: Counts, other: Counts): void {
  sum.calls += other.calls;
  sum.adhocCalls += other.adhocCalls;
  sum.failed += other.failed;
  sum.cached += other.cached;
  sum.maxMs = Math.max(sum.maxMs, other.maxMs);
  addHistogram(sum.durations, other.durations);
}

/** A quantile lies within its bucket, which may reach beyond the longest duration. */
function atMost(ms: number | null, maxMs: number): number | null {
  return ms === null ? null : Math.min(ms, maxMs);
}
