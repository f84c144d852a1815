/** Time that stands still until a test moves it. */
import type { Clock } from '#server/common/clock';

export interface ManualClock extends Clock {
  /** Lets time pass; what was to be called back by then is, in order, each at its own time. */
  advance(ms: number): void;
  /** The same, and runs the promises that each callback resolves before the next callback. */
  pass(ms: number): Promise<void>;
  /** Sets the time of day; no time passes. */
  setTimeOfDay(by: { readonly ms: number }): void;
  /** Timers that have not called back yet. */
  readonly pendingTimers: number;
}

export function createManualClock(startMs = Date.UTC(2026, 2, 1)): ManualClock {
  const timers = new Set<{ readonly atMs: number; readonly callback: () => void }>();
  let elapsedMs = 0;
  let offsetMs = startMs;

  /** @returns whether there was a timer to call back */
  function callNext(untilMs: number): boolean {
    const [next] = [...timers].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
    if (!next) return false;
    timers.delete(next);
    elapsedMs = Math.max(elapsedMs, next.atMs);
    next.callback();
    return true;
  }

  return {
    now: () => new Date(offsetMs + elapsedMs),
    nowMicros: () => (offsetMs + elapsedMs) * 1000,
    monotonicMs: () => elapsedMs,
    setTimer(callback, delayMs) {
      const timer = { atMs: elapsedMs + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const untilMs = elapsedMs + ms;
      while (callNext(untilMs));
      elapsedMs = untilMs;
    },
    async pass(ms) {
      const untilMs = elapsedMs + ms;
      while (callNext(untilMs)) await settle();
      elapsedMs = untilMs;
      await settle();
    },
    setTimeOfDay: ({ ms }) => {
      offsetMs += ms;
    },
    get pendingTimers() {
      return timers.size;
    },
  };
}

/** Waits until all resolved promises have run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
}
