/** Values of the recent past in slices of time. The oldest slice is dropped when a new one begins. */
import type { Clock } from '../../common/clock';

export interface SliceLimits {
  readonly sliceMs: number;
  /** Slices that are kept, the current one included. */
  readonly count: number;
}

export interface Slice<T> {
  /** On the monotonic clock, in slices since its start. */
  readonly number: number;
  readonly value: T;
}

export class Slices<T> {
  /** Oldest first. Slices without a value are missing. */
  private kept: Slice<T>[] = [];

  constructor(
    private readonly limits: SliceLimits,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    private readonly create: () => T
  ) {}

  /** The value of this moment's slice; a new one when it is the first. */
  current(): T {
    const number = sliceNumber(this.limits, this.clock);
    const last = this.kept.at(-1);
    if (last?.number === number) return last.value;
    const value = this.create();
    this.kept.push({ number, value });
    this.dropOld(number);
    return value;
  }

  /** Slices that are not too old, oldest first. */
  all(): readonly Slice<T>[] {
    this.dropOld(sliceNumber(this.limits, this.clock));
    return this.kept;
  }

  private dropOld(number: number): void {
    const oldest = number - this.limits.count + 1;
    if (this.kept[0] && this.kept[0].number < oldest) this.kept = this.kept.filter((slice) => slice.number >= oldest);
  }
}

/** Number of the slice of this moment. */
export function sliceNumber({ sliceMs }: SliceLimits, { monotonicMs }: Pick<Clock, 'monotonicMs'>): number {
  return Math.floor(monotonicMs() / sliceMs);
}

/** Start of the oldest slice that is kept. @param startedMs monotonic time before which nothing was counted */
export function sinceOf({ sliceMs, count }: SliceLimits, clock: Clock, startedMs: number): Date {
  const nowMs = clock.monotonicMs();
  const oldestMs = Math.max(startedMs, (Math.floor(nowMs / sliceMs) - count + 1) * sliceMs);
  return new Date(clock.now().getTime() - (nowMs - oldestMs));
}
