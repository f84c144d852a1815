/**
 * Tells the server which run may hold the engine's thread, with as few notices as that takes: each one wakes both
 * processes. The stages that hold the thread are reported before they begin, since nothing can be sent while they last; the
 * end of one is reported with the next, or when the store takes long.
 */
import type { RunStage, StageNotice } from '../protocol/messages';

export interface StageNotices {
  enter(id: number, stage: RunStage): void;
  /** Called before other work takes the thread. */
  flush(): void;
  /** The call is answered, which the server learns from the answer. */
  end(id: number): void;
}

/** A run that is shorter is taken to hold the thread until its answer or until another run takes it. */
const TELL_AFTER_MS = 10;

/** @param send sends changes in their order, as one notice */
export function createStageNotices(send: (changes: StageNotice['changes']) => void): StageNotices {
  /** The run that the server takes to hold the thread. */
  let holder: number | null = null;
  /** Runs while `holder` is in the store, and the server does not know it. */
  let timer: NodeJS.Timeout | null = null;

  function pendingChanges(): StageNotice['changes'] {
    if (timer === null || holder === null) return [];
    clearTimeout(timer);
    timer = null;
    return [{ id: holder, stage: 'db' }];
  }

  function flush(): void {
    const changes = pendingChanges();
    if (changes.length === 0) return;
    holder = null;
    send(changes);
  }

  return {
    flush,
    enter(id, stage) {
      if (stage === 'db') {
        if (holder === id) timer ??= setTimeout(flush, TELL_AFTER_MS).unref();
        else send([{ id, stage }]);
        return;
      }
      const changes = pendingChanges();
      if (holder === id) return;
      holder = id;
      send([...changes, { id, stage }]);
    },
    end(id) {
      if (holder !== id) return;
      pendingChanges();
      holder = null;
    },
  };
}
