/**
 * A point in time by two clocks: neither a clock that is set back nor a suspended machine makes old entries look new.
 */
import type { Clock } from '../common/clock';

export interface Instant {
  /** Milliseconds since 1970. */
  readonly wallMs: number;
  /** Time of `Clock.monotonicMs`. */
  readonly monotonicMs: number;
}

export function instantOf(clock: Clock): Instant {
  return { wallMs: clock.nowMicros() / 1000, monotonicMs: clock.monotonicMs() };
}

/** Milliseconds since `past`, never negative: the larger value of the two clocks. */
export function elapsedMs(past: Instant, clock: Clock): number {
  return Math.max(0, clock.nowMicros() / 1000 - past.wallMs, clock.monotonicMs() - past.monotonicMs);
}
