/** Time and timers as an argument, so that tests can control them. */
export interface Clock {
  now(): Date;
  /** Microseconds since 1970. */
  nowMicros(): number;
  /** Milliseconds from an arbitrary start; never goes back, even when the system time is changed. */
  monotonicMs(): number;
  /**
   * Calls back once, after the delay. The timer does not keep the process alive. @returns a function that cancels it
   */
  setTimer(callback: () => void, delayMs: number): () => void;
}

export const systemClock: Clock = {
  now: () => new Date(),
  nowMicros: () => Date.now() * 1000,
  monotonicMs: () => performance.now(),
  setTimer: (callback, delayMs) => {
    const timer = setTimeout(callback, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
