/**
 * Semaphore for runs, with a limit for all and a lower one for ad-hoc text; more wait in order of arrival. The server
 * has the same limits, but an aborted run still works for a while: it must not take the permits of saved queries.
 */
import { toError } from '../../common/caught-error';

export interface RunSemaphore {
  /**
   * Waits for a permit. @returns a function that releases it; further calls of it do nothing.
   * Rejects with the signal's reason when it aborts first.
   */
  acquire(isAdhoc: boolean, signal: AbortSignal): Promise<() => void>;
  readonly running: number;
  readonly waiting: number;
}

interface Waiter {
  readonly isAdhoc: boolean;
  start(): void;
}

export function createRunSemaphore(permits: number, adhocPermits: number): RunSemaphore {
  let running = 0;
  let adhocRunning = 0;
  const waiters = new Set<Waiter>();
  const hasPermit = (isAdhoc: boolean): boolean => running < permits && (!isAdhoc || adhocRunning < adhocPermits);

  function take(isAdhoc: boolean): () => void {
    running += 1;
    if (isAdhoc) adhocRunning += 1;
    let isAcquired = true;
    return () => {
      if (!isAcquired) return;
      isAcquired = false;
      running -= 1;
      if (isAdhoc) adhocRunning -= 1;
      [...waiters].find((waiter) => hasPermit(waiter.isAdhoc))?.start();
    };
  }

  return {
    get running() {
      return running;
    },
    get waiting() {
      return waiters.size;
    },
    acquire(isAdhoc, signal) {
      if (signal.aborted) return Promise.reject(toError(signal.reason));
      if (hasPermit(isAdhoc)) return Promise.resolve(take(isAdhoc));
      return new Promise((resolve, reject) => {
        const stopWaiting = (): void => {
          waiters.delete(waiter);
          signal.removeEventListener('abort', giveUp);
        };
        const waiter: Waiter = {
          isAdhoc,
          start: () => {
            stopWaiting();
            resolve(take(isAdhoc));
          },
        };
        const giveUp = (): void => {
          stopWaiting();
          reject(toError(signal.reason));
        };
        waiters.add(waiter);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
