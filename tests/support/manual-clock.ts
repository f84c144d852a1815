/** Time that stands still until a test moves it. */
import type { Clock } from '#server/clock';

export interface ManualClock extends Clock {
  /** Lets time pass; what was to be called back by then is. */
  advance(ms: number): void;
}

export function createManualClock(startMs = Date.UTC(2026, 2, 1)): ManualClock {
  let nowMs = startMs;
  const timers = new Set<{ readonly atMs: number; readonly callback: () => void }>();
  return {
    now: () => new Date(nowMs),
    nowMicros: () => nowMs * 1000,
    monotonicMs: () => nowMs - startMs,
    setTimer(callback, delayMs) {
      const timer = { atMs: nowMs + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      nowMs += ms;
      for (const timer of [...timers].filter(({ atMs }) => atMs <= nowMs)) {
        timers.delete(timer);
        timer.callback();
      }
    },
  };
}
