/** Enforces a minimum rate for the arrival of request bodies. */

/** Time before the minimum rate applies. */
const GRACE_MS = 5000;
/** Longest pause of a fast sender; without a limit a large first chunk would allow minutes of silence. */
const MAX_PAUSE_MS = 10_000;
const CHECK_MS = 1000;

export interface RateWatch {
  /** Counts received bytes. */
  note(bytes: number): void;
  stop(): void;
}

/**
 * Each received byte extends the deadline by the time that the minimum rate allows it. Calls `onTooSlow` once, when the
 * deadline has passed.
 *
 * @param minBytesPerSecond 0 accepts every rate
 */
export function watchRate(minBytesPerSecond: number, onTooSlow: () => void): RateWatch {
  if (minBytesPerSecond === 0) return { note: () => undefined, stop: () => undefined };
  const msPerByte = 1000 / minBytesPerSecond;
  let checkedAtMs = performance.now();
  let paidUntilMs = checkedAtMs;
  let graceUntilMs = checkedAtMs + GRACE_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    // Bytes wait unread while this process is busy; the sender is not at fault.
    const delayMs = Math.max(0, now - checkedAtMs - CHECK_MS);
    checkedAtMs = now;
    paidUntilMs += delayMs;
    graceUntilMs += delayMs;
    if (now < Math.max(paidUntilMs, graceUntilMs)) return;
    clearInterval(timer);
    onTooSlow();
  }, CHECK_MS);
  return {
    note: (bytes) => {
      paidUntilMs = Math.min(paidUntilMs + bytes * msPerByte, performance.now() + MAX_PAUSE_MS);
    },
    stop: () => clearInterval(timer),
  };
}
