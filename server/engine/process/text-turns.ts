/**
 * Shares the engine's thread between the compilation of callers' texts and all other work: texts are compiled one after
 * another, and after a long one the next waits for as long as that one took.
 */
import { toError } from '../../common/caught-error';

/** A shorter compilation delays no other work. */
const SHORT_MS = 5;

export class TextTurns {
  private readonly waiting = new Set<() => void>();
  private isScheduled = false;
  private notBefore = 0;

  /**
   * Resolves when a text may be compiled, which must follow at once. Rejects with the reason when the signal aborts.
   */
  next(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(toError(signal.reason));
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.waiting.delete(begin);
        reject(toError(signal.reason));
      };
      this.waiting.add(begin);
      signal.addEventListener('abort', giveUp, { once: true });
      this.schedule();
    });
  }

  /** @param compile compiles a text @returns what it returns */
  measure<T>(compile: () => T): T {
    const startedAt = performance.now();
    try {
      return compile();
    } finally {
      const endedAt = performance.now();
      const tookMs = endedAt - startedAt;
      if (tookMs > SHORT_MS) this.notBefore = endedAt + tookMs;
    }
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.size === 0) return;
    this.isScheduled = true;
    const restMs = this.notBefore - performance.now();
    if (restMs > 0) setTimeout(this.start, Math.ceil(restMs));
    else setImmediate(this.start);
  }

  private readonly start = (): void => {
    const [begin] = this.waiting;
    if (begin !== undefined) {
      this.waiting.delete(begin);
      begin();
    }
    // The compilation follows in a microtask, before the next turn is scheduled.
    setImmediate(() => {
      this.isScheduled = false;
      this.schedule();
    });
  };
}
