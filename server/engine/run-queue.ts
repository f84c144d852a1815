/** At most so many runs at once; more wait in order of arrival. */

export interface RunQueue {
  /**
   * Waits for a place. @returns a function that gives it back; further calls of it do nothing.
   * Rejects with the signal's reason when it aborts first.
   */
  enter(signal: AbortSignal): Promise<() => void>;
  readonly running: number;
  readonly waiting: number;
}

export function createRunQueue(places: number): RunQueue {
  let running = 0;
  const waiters = new Set<() => void>();

  function takePlace(): () => void {
    running += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      running -= 1;
      const [next] = waiters;
      next?.();
    };
  }

  return {
    get running() {
      return running;
    },
    get waiting() {
      return waiters.size;
    },
    enter(signal) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      if (running < places) return Promise.resolve(takePlace());
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          waiters.delete(start);
          signal.removeEventListener('abort', giveUp);
        };
        const start = (): void => {
          leave();
          resolve(takePlace());
        };
        const giveUp = (): void => {
          leave();
          reject(signal.reason as Error);
        };
        waiters.add(start);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
