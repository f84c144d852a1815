/** The time and timers, as an argument. */
export interface Clock {
  now(): Date;
  /** Microseconds since 1970. */
  nowMicros(): number;
  /** Milliseconds from an unknown start; never goes back, whatever is done to the time of day. */
  monotonicMs(): number;
  /** Calls back once, after the delay. It keeps no process alive. @returns a function that calls it off */
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
