/** Pauses of work in the background. */
import { setTimeout as delay } from 'node:timers/promises';

/** To be called between two pieces of work. */
export type Pause = () => Promise<void>;

const LONGEST_PAUSE_MS = 2000;
/** Pieces of work that together take less go on without a pause. */
const SHORTEST_WORK_MS = 1;

/**
 * @returns a function that pauses as long as the work since the last pause took.
 * @param signal ends a pause by throwing
 */
export function pauser(signal: AbortSignal): Pause {
  let since = performance.now();
  return async () => {
    const workMs = performance.now() - since;
    if (workMs < SHORTEST_WORK_MS) return;
    await delay(Math.min(workMs, LONGEST_PAUSE_MS), undefined, { signal });
    since = performance.now();
  };
}
