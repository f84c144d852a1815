/**
 * Queue of batches of one source: while one insert runs, the next is collected, so that a busy source makes few large
 * inserts.
 */
import type { EventRow } from '../ingest/event-row';

export interface WaitingRow extends Pick<EventRow, 'index' | 'id' | 'tenant' | 'micros' | 'hasOwnTime'> {
  /** The row in the form of an insert. */
  readonly line: Buffer;
  /** Columns of a row in `RowBinary`; null: it is a line of JSON. */
  readonly columns: string | null;
  /** The row as JSON, for dead letters. */
  readonly text: () => string;
}

export interface BatchOutcome {
  readonly duplicates: number;
  /** Indexes in the batch of rows that ClickHouse refused; they are dead letters. */
  readonly refused: readonly number[];
}

export interface WaitingBatch {
  readonly rows: readonly WaitingRow[];
  readonly nowMicros: number;
  readonly bytes: number;
}

interface Waiter extends WaitingBatch {
  readonly resolve: (outcome: BatchOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Minimum time between the starts of two inserts. Every insert creates a part on disk that ClickHouse has to merge: a
 * single sender creates about fifteen per second, and many senders no more.
 */
const PAUSE_MS = 25;
/** Waiting bytes that end the pause early. */
const LARGE_BYTES = 4 * 1024 * 1024;
/** Larger inserts cost hardly less for an event, and their senders wait longer (decision 0275). */
const MAX_INSERT_BYTES = 32 * 1024 * 1024;

export class WaitingBatches {
  private readonly store: (batches: readonly WaitingBatch[]) => Promise<readonly BatchOutcome[]>;
  private readonly waiting: Waiter[] = [];
  private running: Promise<void> | null = null;
  private endPause: () => void = () => undefined;
  /** Waiting bytes, including the running insert. */
  private bytes = 0;
  private isClosing = false;

  /** @param store resolves with an outcome for each batch, when all are on disk */
  constructor(store: (batches: readonly WaitingBatch[]) => Promise<readonly BatchOutcome[]>) {
    this.store = store;
  }

  /** Resolves when the rows are on disk. */
  add(batch: WaitingBatch): Promise<BatchOutcome> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...batch, resolve, reject });
      this.bytes += batch.bytes;
      if (this.bytes >= LARGE_BYTES) this.endPause();
      this.running ??= this.run();
    });
  }

  /** Resolves when no batch waits. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.endPause();
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      const startedAt = performance.now();
      const group = this.takeGroup();
      try {
        const outcomes = await this.store(group);
        group.forEach(({ resolve }, index) => resolve(outcomes[index]!));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
      for (const { bytes } of group) this.bytes -= bytes;
      await this.pause(PAUSE_MS - (performance.now() - startedAt));
    }
    // Synchronously after the loop: a later `add` starts a new run.
    this.running = null;
  }

  private takeGroup(): Waiter[] {
    let bytes = 0;
    const end = this.waiting.findIndex((batch) => (bytes += batch.bytes) > MAX_INSERT_BYTES);
    return this.waiting.splice(0, end === -1 ? this.waiting.length : Math.max(1, end));
  }

  private async pause(ms: number): Promise<void> {
    if (ms <= 0 || this.isClosing || this.bytes >= LARGE_BYTES) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.endPause = () => undefined;
  }
}
