/** Retries of operations that may succeed shortly after. */
import { setTimeout as delay } from 'node:timers/promises';
import { isPassing } from './errors';

const FIRST_RETRY_MS = 200;
const ATTEMPTS = 4;
/** Maximum time after the first attempt in which another one starts: after that, the sender has to retry. */
const RETRY_FOR_MS = 15_000;

/** Retries connection failures and temporary errors. A repeated insert is stored once, see `InsertRequest.token`. */
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
