/** How many calls of one data source run at once: a dashboard must not use up the places that the service gives a token. */
export interface Semaphore {
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export function createSemaphore(count: number): Semaphore {
  let free = count;
  const waiting: (() => void)[] = [];

  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (free > 0) {
      free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const take = (): void => {
        signal.removeEventListener('abort', give);
        resolve();
      };
      const give = (): void => {
        waiting.splice(waiting.indexOf(take), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', give, { once: true });
      waiting.push(take);
    });
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }

  return {
    run: async (signal, work) => {
      await enter(signal);
      return work().finally(leave);
    },
  };
}
