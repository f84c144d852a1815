/** When something happened, by two clocks, so that neither a clock that is set back nor a machine that slept makes old things young. */
import type { Clock } from '../clock';

export interface Instant {
  /** Milliseconds since 1970. */
  readonly wallMs: number;
  /** Of `Clock.monotonicMs`. */
  readonly monotonicMs: number;
}

export function instantOf(clock: Clock): Instant {
  return { wallMs: clock.nowMicros() / 1000, monotonicMs: clock.monotonicMs() };
}

/** Milliseconds since `past`, never negative. The clock that says more is believed. */
export function elapsedMs(past: Instant, clock: Clock): number {
  return Math.max(0, clock.nowMicros() / 1000 - past.wallMs, clock.monotonicMs() - past.monotonicMs);
}
