/**
 * Queue of batches of one source: while inserts run, the next is collected, so that a busy source makes few large
 * inserts. With much to store two run at once: one is looked up while the other is stored (decision 0281).
 */
import type { EventRow } from '../ingest/event-row';
import type { ByteOutput } from './byte-output';

export interface WaitingRow extends Pick<EventRow, 'index' | 'id' | 'tenant' | 'micros' | 'hasOwnTime'> {
  /** Holds the row in the form of an insert, between `start` and `end`. Rows of a batch follow one another. */
  readonly output: ByteOutput;
  readonly start: number;
  readonly end: number;
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
const MAX_INSERTS = 2;
/** Waiting bytes for which a second insert begins beside the first: with fewer, the inserts would be small and dear. */
const SECOND_INSERT_BYTES = 12 * 1024 * 1024;

/** Stores a group of batches; resolves with an outcome for each batch, when all are on disk. */
type StoreGroup = (batches: readonly WaitingBatch[]) => Promise<readonly BatchOutcome[]>;

export class WaitingBatches {
  private readonly store: StoreGroup;
  private readonly waiting: Waiter[] = [];
  private readonly running = new Set<RunningInsert>();
  /** The running insert that has an event of the first waiting batch. */
  private blockedBy: RunningInsert | null = null;
  private loop: Promise<void> | null = null;
  private startedAt = -Infinity;
  private waitingBytes = 0;
  private isClosing = false;
  private wake: () => void = () => undefined;

  constructor(store: StoreGroup) {
    this.store = store;
  }

  /** Resolves when the rows are on disk. */
  add(batch: WaitingBatch): Promise<BatchOutcome> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...batch, resolve, reject });
      this.waitingBytes += batch.bytes;
      this.wake();
      this.loop ??= this.run();
    });
  }

  /** Resolves when no batch waits. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.wake();
    await this.loop;
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0 || this.running.size > 0) {
      const pauseMs = this.pauseMs();
      const group = pauseMs > 0 ? [] : this.takeGroup();
      if (group.length > 0) this.begin(group);
      else await this.change(pauseMs);
    }
    // Synchronously after the loop: a later `add` starts a new one.
    this.loop = null;
  }

  /** Time until an insert may begin; Infinity: until something else changes. */
  private pauseMs(): number {
    const { running, waitingBytes } = this;
    if (this.waiting.length === 0 || this.blockedBy !== null || running.size === MAX_INSERTS) return Infinity;
    if (running.size > 0) return waitingBytes >= SECOND_INSERT_BYTES ? 0 : Infinity;
    return this.isClosing || waitingBytes >= LARGE_BYTES ? 0 : this.startedAt + PAUSE_MS - performance.now();
  }

  private change(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = withinMs === Infinity ? undefined : setTimeout(resolve, withinMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private begin(group: readonly Waiter[]): void {
    const insert = new RunningInsert(group);
    this.running.add(insert);
    this.startedAt = performance.now();
    for (const { bytes } of group) this.waitingBytes -= bytes;
    void this.insert(group).then(() => {
      this.running.delete(insert);
      if (this.blockedBy === insert) this.blockedBy = null;
      this.wake();
    });
  }

  private async insert(group: readonly Waiter[]): Promise<void> {
    try {
      const outcomes = await this.store(group);
      group.forEach(({ resolve }, index) => resolve(outcomes[index]!));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  /** The first batches, up to one with an event that is being stored: it is looked up when that insert has ended. */
  private takeGroup(): Waiter[] {
    const { waiting } = this;
    let bytes = 0;
    let count = 0;
    for (const batch of waiting) {
      bytes += batch.bytes;
      if (count > 0 && bytes > MAX_INSERT_BYTES) break;
      this.blockedBy = [...this.running].find((insert) => insert.sharesId(batch)) ?? null;
      if (this.blockedBy !== null) break;
      count++;
    }
    return waiting.splice(0, count);
  }
}

class RunningInsert {
  private readonly batches: readonly WaitingBatch[];
  private ids: Set<string> | null = null;

  constructor(batches: readonly WaitingBatch[]) {
    this.batches = batches;
  }

  /** By ids alone: which of them are the same event depends on times, too. */
  sharesId({ rows }: WaitingBatch): boolean {
    const ids = (this.ids ??= new Set(this.batches.flatMap((batch) => batch.rows.map(({ id }) => id))));
    return rows.some(({ id }) => ids.has(id));
  }
}
