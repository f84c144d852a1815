/** The minimum rate at which a request body arrives. */

/** Time before the average counts. */
const GRACE_MS = 5000;
/** Fast senders may pause, but no longer than this: else a large first part would pay for minutes of silence. */
const MAX_PAUSE_MS = 10_000;
const CHECK_MS = 1000;

export interface RateWatch {
  /** Counts bytes that have arrived. */
  note(bytes: number): void;
  stop(): void;
}

/**
 * Each byte pays for the time that it may take; `onTooSlow` is called once, when the paid time is over.
 *
 * @param minBytesPerSecond 0: every rate will do
 */
export function watchRate(minBytesPerSecond: number, onTooSlow: () => void): RateWatch {
  if (minBytesPerSecond === 0) return { note: () => undefined, stop: () => undefined };
  const msPerByte = 1000 / minBytesPerSecond;
  let checkedAtMs = performance.now();
  let paidUntilMs = checkedAtMs;
  let graceUntilMs = checkedAtMs + GRACE_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    // Bytes wait unread while this process itself is busy: the sender is not to blame.
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
