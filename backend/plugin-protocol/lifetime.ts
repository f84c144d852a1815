/**
 * Lifetime of the process: it ends when Grafana requests it, or when Grafana has ended. A Grafana process that is
 * killed leaves its plugins running. The parent process id does not show that, because in containers Grafana itself is
 * process 1; its stream of our output does, because it breaks at once.
 */
export interface Lifetime {
  /** Registers an output stream of Grafana. @returns a function to call when the stream breaks */
  hostArrived(): () => void;
  /** Ends the process; further calls do nothing. */
  stop(reason: string): void;
}

/** Time allowed for Grafana to reconnect. */
const ORPHAN_GRACE_MS = 5_000;

export function createLifetime(onStop: (reason: string) => void): Lifetime {
  let streams = 0;
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;

  function stop(reason: string): void {
    clearTimeout(timer);
    if (isStopping) return;
    isStopping = true;
    onStop(reason);
  }

  return {
    stop,
    hostArrived: () => {
      streams++;
      clearTimeout(timer);
      let isConnected = true;
      return () => {
        if (!isConnected) return;
        isConnected = false;
        if (--streams === 0 && !isStopping)
          timer = setTimeout(() => stop('the host has closed its streams'), ORPHAN_GRACE_MS);
      };
    },
  };
}
