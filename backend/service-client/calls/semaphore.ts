/**
 * Limits the concurrent calls of one data source, so that a dashboard does not use up the permits that the service
 * gives a token.
 */
import { type CallSignal, throwIfAborted } from './call-signal';

export interface Semaphore {
  /**
   * @param isUrgent whether the call gets a permit before others that have waited longer, until urgent calls have three
   * quarters of the permits
   * @returns undefined when there is no need to wait
   */
  acquire(signal: CallSignal, isUrgent?: boolean): Promise<void> | undefined;
  /** @param isUrgent as in the call of `acquire` */
  release(isUrgent?: boolean): void;
}

export function createSemaphore(count: number): Semaphore {
  // Without a limit, urgent calls that never end would keep all others waiting for ever.
  const urgentBeforeOthers = count - Math.floor(count / 4);
  let free = count;
  let runningUrgent = 0;
  const urgent: (() => void)[] = [];
  const others: (() => void)[] = [];

  return {
    acquire: (signal, isUrgent = false) => {
      throwIfAborted(signal);
      if (free > 0) {
        free--;
        if (isUrgent) runningUrgent++;
        return undefined;
      }
      const waiting = isUrgent ? urgent : others;
      return new Promise<void>((resolve, reject) => {
        const grant = (): void => {
          signal.removeEventListener('abort', onAbort);
          if (isUrgent) runningUrgent++;
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
    release: (isUrgent = false) => {
      if (isUrgent) runningUrgent--;
      const [first, second] = runningUrgent < urgentBeforeOthers ? [urgent, others] : [others, urgent];
      const next = first.shift() ?? second.shift();
      if (next) next();
      else free++;
    },
  };
}
