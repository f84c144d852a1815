/** Events that arrived at this server in the last hour, by source and minute. */
import type { Clock } from '../../common/clock';
import { sinceOf, type SliceLimits, sliceNumber, Slices } from './slices';

const LIMITS: SliceLimits = { sliceMs: 60_000, count: 60 };

export interface ArrivedEvents {
  /** New events. */
  readonly stored: number;
  readonly duplicates: number;
  readonly rejected: number;
}

export interface Arrivals {
  /** Start of the first minute; events before it, or before the start of this server, are not counted. */
  readonly since: Date;
  /** New events of each minute, the oldest first; the last minute is the current one. */
  readonly storedByMinute: readonly number[];
  readonly duplicates: number;
  readonly rejected: number;
}

type Counts = { -readonly [K in keyof ArrivedEvents]: number };

export class ArrivalStats {
  private readonly sources = new Map<string, Slices<Counts>>();
  private readonly startedMs: number;

  constructor(private readonly clock: Clock) {
    this.startedMs = clock.monotonicMs();
  }

  /** @param source name of a source, never a caller's text: each takes memory */
  add(source: string, { stored, duplicates, rejected }: ArrivedEvents): void {
    if (stored + duplicates + rejected === 0) return;
    let slices = this.sources.get(source);
    if (slices === undefined) {
      slices = new Slices<Counts>(LIMITS, this.clock, () => ({ stored: 0, duplicates: 0, rejected: 0 }));
      this.sources.set(source, slices);
    }
    const counts = slices.current();
    counts.stored += stored;
    counts.duplicates += duplicates;
    counts.rejected += rejected;
  }

  of(source: string): Arrivals {
    const storedByMinute = Array.from({ length: LIMITS.count }, () => 0);
    const first = sliceNumber(LIMITS, this.clock) - LIMITS.count + 1;
    let duplicates = 0;
    let rejected = 0;
    for (const { number, value } of this.sources.get(source)?.all() ?? []) {
      storedByMinute[number - first] = value.stored;
      duplicates += value.duplicates;
      rejected += value.rejected;
    }
    return { since: sinceOf(LIMITS, this.clock, this.startedMs), storedByMinute, duplicates, rejected };
  }
}
