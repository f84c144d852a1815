/**
 * Order of retries after an engine process ended. Batches that were in flight come first, one at a time and without
 * text of a caller in parallel, so that the next end shows which batch is the culprit. Texts that were in flight also
 * run one at a time, in parallel to other calls.
 */
import { createDeferred, type Deferred } from './deferred';

export interface RetryGate {
  /** Resolves when no retried batch waits or runs. */
  settled(): Promise<void>;
  readonly isSettled: boolean;
  /** Waits for the turn of a retried call. @returns a function that ends the turn; further calls of it do nothing. */
  enterBatch(): Promise<() => void>;
  enterText(): Promise<() => void>;
}

export function createRetryGate(): RetryGate {
  const batches = createLine();
  const texts = createLine();
  let waiting: Deferred<void> | null = null;

  return {
    get isSettled() {
      return batches.length === 0;
    },
    settled() {
      if (batches.length === 0) return Promise.resolve();
      waiting ??= createDeferred();
      return waiting.promise;
    },
    async enterBatch() {
      const leave = await batches.enter();
      return () => {
        leave();
        if (batches.length > 0) return;
        waiting?.resolve();
        waiting = null;
      };
    },
    enterText: () => texts.enter(),
  };
}

/** A mutex in order of arrival. */
function createLine(): { readonly length: number; enter(): Promise<() => void> } {
  let length = 0;
  let tail = Promise.resolve();
  return {
    get length() {
      return length;
    },
    async enter() {
      const before = tail;
      const own: Deferred<void> = createDeferred();
      tail = own.promise;
      length += 1;
      await before;
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        length -= 1;
        own.resolve();
      };
    },
  };
}
