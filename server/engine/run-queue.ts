/**
 * At most so many runs at once, and so many of ad-hoc text among them; more wait in order of arrival. The server lets no more in, but a run
 * whose caller has gone is still at work for a while: it must not take the places of saved queries.
 */

export interface RunQueue {
  /**
   * Waits for a place. @returns a function that gives it back; further calls of it do nothing.
   * Rejects with the signal's reason when it aborts first.
   */
  enter(isAdhoc: boolean, signal: AbortSignal): Promise<() => void>;
  readonly running: number;
  readonly waiting: number;
}

interface Waiter {
  readonly isAdhoc: boolean;
  start(): void;
}

export function createRunQueue(places: number, adhocPlaces: number): RunQueue {
  let running = 0;
  let adhocRunning = 0;
  const waiters = new Set<Waiter>();
  const hasPlace = (isAdhoc: boolean): boolean => running < places && (!isAdhoc || adhocRunning < adhocPlaces);

  function takePlace(isAdhoc: boolean): () => void {
    running += 1;
    if (isAdhoc) adhocRunning += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      running -= 1;
      if (isAdhoc) adhocRunning -= 1;
      [...waiters].find((waiter) => hasPlace(waiter.isAdhoc))?.start();
    };
  }

  return {
    get running() {
      return running;
    },
    get waiting() {
      return waiters.size;
    },
    enter(isAdhoc, signal) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      if (hasPlace(isAdhoc)) return Promise.resolve(takePlace(isAdhoc));
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          waiters.delete(waiter);
          signal.removeEventListener('abort', giveUp);
        };
        const waiter: Waiter = {
          isAdhoc,
          start: () => {
            leave();
            resolve(takePlace(isAdhoc));
          },
        };
        const giveUp = (): void => {
          leave();
          reject(signal.reason as Error);
        };
        waiters.add(waiter);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
