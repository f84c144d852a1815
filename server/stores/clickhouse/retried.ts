/** Second attempts at what may well succeed a moment later. */
import { setTimeout as delay } from 'node:timers/promises';
import { isPassing } from './errors';

const FIRST_RETRY_MS = 200;
const ATTEMPTS = 4;
/** Attempts that began later than this after the first are given up: the sender waits, and sends again. */
const RETRY_FOR_MS = 15_000;

/** Tries again what failed on the way, or for a reason that passes. The same insert twice is stored once, see `InsertRequest.token`. */
export async function retried<T>(task: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (let attempt = 1; ; attempt++) {
    try {
      return await task();
    } catch (error) {
      const isOver = attempt === ATTEMPTS || performance.now() - startedAt > RETRY_FOR_MS;
      if (isOver || !isPassing(error)) throw error;
      await delay(FIRST_RETRY_MS * 2 ** (attempt - 1));
    }
  }
}
