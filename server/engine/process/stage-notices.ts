/**
 * Tells the server which run may hold the engine's thread, with as few notices as that takes: each one wakes both
 * processes. The stages that hold the thread are reported before they begin, since nothing can be sent while they last;
 * the end of one is reported with the next, or when it takes long. A run that is the only call needs no notice.
 */
import type { RunStage, StageNotice } from '../protocol/messages';

export interface StageNotices {
  /** A run has arrived that the server takes to hold the thread: no other call was unanswered when it was sent. */
  arriveAlone(id: number): void;
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
  /** Where `holder` is instead, and the server does not know it. */
  let elsewhere: 'queue' | 'db' | null = null;
  let timer: NodeJS.Timeout | undefined;

  function leave(id: number, stage: 'queue' | 'db'): void {
    holder = id;
    elsewhere = stage;
    timer = setTimeout(flush, TELL_AFTER_MS).unref();
  }

  function pendingChanges(): StageNotice['changes'] {
    if (elsewhere === null || holder === null) return [];
    clearTimeout(timer);
    const changes = [{ id: holder, stage: elsewhere }];
    elsewhere = null;
    return changes;
  }

  function flush(): void {
    const changes = pendingChanges();
    if (changes.length === 0) return;
    holder = null;
    send(changes);
  }

  return {
    flush,
    arriveAlone(id) {
      // The server knows of every other run that it has ended.
      pendingChanges();
      leave(id, 'queue');
    },
    enter(id, stage) {
      if (stage === 'db') {
        if (holder !== id) send([{ id, stage }]);
        else if (elsewhere === null) leave(id, stage);
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
