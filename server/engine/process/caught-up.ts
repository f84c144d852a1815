/** Wait of a query for events that are acknowledged and not readable yet. */
import { setTimeout as delay } from 'node:timers/promises';
import type { LogStore } from '../../stores/store';

/** Maximum wait while the store is far behind. */
const LONGEST_WAIT_MS = 5_000;

/**
 * Resolves when every event acknowledged before the call is readable. While the store is far behind, it resolves after
 * `longestMs` at the latest: the newest events are then missing from the result.
 * @throws the reason of the signal
 */
export async function caughtUp(
  store: Pick<LogStore, 'catchUp' | 'isCaughtUp' | 'isFarBehind'>,
  signal: AbortSignal | null = null,
  longestMs = LONGEST_WAIT_MS
): Promise<void> {
  signal?.throwIfAborted();
  if (store.isCaughtUp) return;
  const ended = new AbortController();
  const giveUp = signal === null ? ended.signal : AbortSignal.any([ended.signal, signal]);
  let isOver = false;
  const all = store.catchUp().finally(() => (isOver = true));
  try {
    do {
      const waited = delay(longestMs, undefined, { signal: giveUp }).catch(() => undefined);
      await Promise.race([all, waited]);
      signal?.throwIfAborted();
    } while (!isOver && !store.isFarBehind);
  } finally {
    ended.abort();
    // A later failure has no caller to report to.
    all.catch(() => undefined);
  }
}
