/**
 * When to end: on the host's word, or when the host is gone without one. A host that is killed leaves its plugins running, and nothing
 * else ends them. The parent process is no sign: in containers the host itself is process 1. Its stream of our output is: it is cut at once.
 */
export interface Lifetime {
  /** The host holds its stream open. @returns what to call when the stream is cut */
  hostArrived(): () => void;
  /** Ends the process; a second call does nothing. */
  stop(reason: string): void;
}

/** A host that reconnects does so at once. */
export const ORPHAN_GRACE_MS = 5_000;

export function createLifetime(onStop: (reason: string) => void, graceMs = ORPHAN_GRACE_MS): Lifetime {
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
      let isHere = true;
      return () => {
        if (!isHere) return;
        isHere = false;
        if (--streams === 0 && !isStopping) timer = setTimeout(() => stop('the host is gone'), graceMs);
      };
    },
  };
}
