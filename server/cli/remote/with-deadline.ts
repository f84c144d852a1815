/**
 * Ends the work when the time is up or the caller cancels it. `AbortSignal.any` of an `AbortSignal.timeout` would never
 * end it once Node.js 20 has collected the latter as garbage.
 */
export async function withDeadline<T>(
  timeoutMs: number,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>
): Promise<T> {
  const deadline = new AbortController();
  const follow = (): void => deadline.abort(caller?.reason);
  const timer = setTimeout(() => deadline.abort(new DOMException('No answer in time.', 'TimeoutError')), timeoutMs);
  if (caller?.aborted) follow();
  caller?.addEventListener('abort', follow);
  try {
    return await work(deadline.signal);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', follow);
  }
}
