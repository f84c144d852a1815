/**
 * Limits the concurrent calls of one data source, so that a dashboard does not use up the permits that the service
 * gives a token.
 */
import { type CallSignal, throwIfAborted } from './call-signal';

export interface Semaphore {
  /**
   * @param isUrgent gets a permit before all that are not, even if they have waited longer
   * @returns undefined when there is no need to wait
   */
  acquire(signal: CallSignal, isUrgent?: boolean): Promise<void> | undefined;
  release(): void;
}

export function createSemaphore(count: number): Semaphore {
  let free = count;
  const urgent: (() => void)[] = [];
  const others: (() => void)[] = [];

  return {
    acquire: (signal, isUrgent = false) => {
      throwIfAborted(signal);
      if (free > 0) {
        free--;
        return undefined;
      }
      const waiting = isUrgent ? urgent : others;
      return new Promise<void>((resolve, reject) => {
        const grant = (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        const onAbort = (): void => {
          waiting.splice(waiting.indexOf(grant), 1);
          reject(signal.reason);
        };
        signal.addEventListener('abort', onAbort);
        waiting.push(grant);
      });
    },
    release: () => {
      const next = urgent.shift() ?? others.shift();
      if (next) next();
      else free++;
    },
  };
}
