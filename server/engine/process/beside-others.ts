/**
 * The memory of the store is shared: while a query takes all of it, a small one that begins then fails, too. A run that
 * fails so soon after its start, beside others, is tried again; one that took the memory itself fails later.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '#contract/errors';

/** A run that is in want of memory after this time has used some. */
const SOON_MS = 200;
/** Pauses before further attempts, in which other runs may end. */
const PAUSES_MS = [50, 100, 200, 400];

/**
 * @param running number of runs, this one included
 * @throws what the last attempt throws; the reason of the signal
 */
export async function besideOthers<T>(
  attempt: () => Promise<T>,
  running: () => number,
  signal: AbortSignal
): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    const startedAt = performance.now();
    try {
      return await attempt();
    } catch (error) {
      const isSoon = performance.now() - startedAt < SOON_MS;
      if (!isOutOfMemory(error) || !isSoon || running() < 2) throw error;
    }
    await delay(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  return attempt();
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'resource_limit' && error.details.reason === 'memory';
}
