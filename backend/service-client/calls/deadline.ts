import type { CallSignal } from './call-signal';

/** End of one request: when its caller leaves, or when the time is up. */
export interface Deadline {
  /** Why the request must end; undefined while it may run. */
  readonly reason: Error | undefined;
  /** The part of the request that runs now, which gets the reason. */
  onEnd: ((reason: Error) => void) | undefined;
  /** Ends the timer and leaves the signal of the caller; to be called when the request has ended. */
  release(): void;
}

/**
 * `AbortSignal.any` with `AbortSignal.timeout` does the same, but leaves timers and references after the request.
 *
 * @param timeoutMs the request ends then with a `TimeoutError`
 */
export function startDeadline(caller: CallSignal, timeoutMs: number): Deadline {
  const deadline: { -readonly [K in keyof Deadline]: Deadline[K] } = { reason: undefined, onEnd: undefined, release };
  const end = (reason: Error): void => {
    if (deadline.reason) return;
    deadline.reason = reason;
    deadline.onEnd?.(reason);
  };
  const follow = (): void => end(caller.reason as Error);
  const timer = setTimeout(
    () => end(new DOMException(`The request took longer than ${timeoutMs} ms`, 'TimeoutError')),
    timeoutMs
  );
  function release(): void {
    clearTimeout(timer);
    caller.removeEventListener('abort', follow);
  }
  if (caller.aborted) follow();
  else caller.addEventListener('abort', follow);
  return deadline;
}

/** @throws the reason of the deadline, at once, when it ends before the time has passed */
export function sleepUntil(deadline: Deadline, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    if (deadline.reason) return reject(deadline.reason);
    const timer = setTimeout(() => {
      deadline.onEnd = undefined;
      resolve();
    }, waitMs);
    deadline.onEnd = (reason) => {
      clearTimeout(timer);
      reject(reason);
    };
  });
}
