/** A signal for one request: it aborts with that of the caller, or when the time is up. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Ends the timer and leaves the signal of the caller; to be called when the request has ended. */
  release(): void;
}

/**
 * `AbortSignal.any` with `AbortSignal.timeout` does the same, but its timers and references live on after the request.
 *
 * @param timeoutMs the signal aborts then with a `TimeoutError`
 */
export function startDeadline(caller: AbortSignal, timeoutMs: number): Deadline {
  const controller = new AbortController();
  const follow = (): void => controller.abort(caller.reason);
  if (caller.aborted) follow();
  else caller.addEventListener('abort', follow);
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`The request took longer than ${timeoutMs} ms`, 'TimeoutError'));
  }, timeoutMs);
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      caller.removeEventListener('abort', follow);
    },
  };
}
