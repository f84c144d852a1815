/** Pauses of work in the background. */
import { setTimeout as delay } from 'node:timers/promises';

const LONGEST_PAUSE_MS = 2000;

/** @returns a function that pauses as long as the work since the last pause took. @param signal ends a pause by throwing */
export function pauser(signal: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    await delay(Math.min(performance.now() - since, LONGEST_PAUSE_MS), undefined, { signal });
    since = performance.now();
  };
}
