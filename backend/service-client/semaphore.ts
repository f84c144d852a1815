/**
 * Limits the concurrent calls of one data source, so that a dashboard does not use up the permits that the service
 * gives a token.
 */
export interface Semaphore {
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export function createSemaphore(count: number): Semaphore {
  let free = count;
  const waiting: (() => void)[] = [];

  async function acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (free > 0) {
      free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const grant = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = (): void => {
        waiting.splice(waiting.indexOf(grant), 1);
        const reason: unknown = signal.reason;
        reject(reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      waiting.push(grant);
    });
  }

  function release(): void {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }

  return {
    run: async (signal, work) => {
      await acquire(signal);
      return work().finally(release);
    },
  };
}
