/**
 * Queue of batches of one source: while inserts run, the next is collected, so that a busy source makes few large
 * inserts. With much to store two run at once (decision 0281). With less, what waits is looked up while an insert runs
 * (decision 0285).
 */
import type { EventRow } from '../../ingest/event/event-row';
import type { ByteOutput } from '../rows/byte-output';

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

/** What is known of a group of batches before its insert. */
export interface LookedUp {
  readonly batches: readonly WaitingBatch[];
}

export interface GroupStore<Group extends LookedUp> {
  /** Finds events that are stored already; beside inserts of other events. */
  lookUp(batches: readonly WaitingBatch[]): Promise<Group>;
  /**
   * Stores groups, which share no id, with one insert; resolves with an outcome for each batch, when all are on disk.
   *
   * @param onInserted may be called before that, when the next insert may begin
   */
  store(groups: readonly Group[], onInserted: () => void): Promise<readonly BatchOutcome[]>;
}

export class WaitingBatches<Group extends LookedUp> {
  private readonly store: GroupStore<Group>;
  private readonly waiting: Waiter[] = [];
  /** Looked up while an insert runs; a part of the next. */
  private early: PendingGroup<Group> | null = null;
  /** Inserts, each the groups in it. */
  private readonly running = new Set<readonly PendingGroup<Group>[]>();
  /** What has an event of the first waiting batch. */
  private blockedBy: PendingGroup<Group> | null = null;
  private loop: Promise<void> | null = null;
  private startedAt = -Infinity;
  private waitingBytes = 0;
  /** Batches that are being read. */
  private expected = 0;
  private unanswered = 0;
  private isClosing = false;
  private wake: () => void = () => undefined;

  constructor(store: GroupStore<Group>) {
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

  /** Runs a task that adds a batch: until then, what waits is not all that the next insert gets. */
  async expectDuring<T>(task: () => Promise<T>): Promise<T> {
    this.expected++;
    try {
      return await task();
    } finally {
      this.expected--;
      this.wake();
    }
  }

  /** Resolves when no batch waits. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.wake();
    await this.loop;
  }

  private async run(): Promise<void> {
    while (this.hasWaiting || this.unanswered > 0) {
      const pauseMs = this.pauseMs();
      if (pauseMs > 0) this.lookUpEarly();
      if (pauseMs > 0 || !this.begin()) await this.change(pauseMs);
    }
    // Synchronously after the loop: a later `add` starts a new one.
    this.loop = null;
  }

  private get hasWaiting(): boolean {
    return this.waiting.length > 0 || this.early !== null;
  }

  /** Time until an insert may begin; Infinity: until something else changes. */
  private pauseMs(): number {
    const { running, waitingBytes } = this;
    const isBlocked = this.early === null && (this.waiting.length === 0 || this.blockedBy !== null);
    if (isBlocked || running.size === MAX_INSERTS) return Infinity;
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

  /** Once for each insert: with many small batches, looking up each of them would cost more than it saves. */
  private lookUpEarly(): void {
    if (this.running.size === 0 || this.expected > 0 || this.early !== null) return;
    this.early = this.takeGroup(MAX_INSERT_BYTES);
  }

  /** @returns false when nothing may be stored now */
  private begin(): boolean {
    const { early } = this;
    this.early = null;
    const late = this.takeGroup(MAX_INSERT_BYTES - (early?.bytes ?? 0), early);
    const groups = [early, late].filter((group) => group !== null);
    if (groups.length === 0) return false;
    this.running.add(groups);
    this.startedAt = performance.now();
    for (const { bytes } of groups) this.waitingBytes -= bytes;
    const end = (): void => {
      this.running.delete(groups);
      if (this.blockedBy !== null && groups.includes(this.blockedBy)) this.blockedBy = null;
      this.wake();
    };
    this.unanswered++;
    void this.answer(groups, end).then(() => {
      this.unanswered--;
      end();
    });
    return true;
  }

  private async answer(groups: readonly PendingGroup<Group>[], onInserted: () => void): Promise<void> {
    const waiters = groups.flatMap((group) => group.waiters);
    try {
      const lookedUp = await Promise.all(groups.map((group) => group.lookedUp));
      const outcomes = await this.store.store(lookedUp, onInserted);
      waiters.forEach(({ resolve }, index) => resolve(outcomes[index]!));
    } catch (error) {
      for (const { reject } of waiters) reject(error);
    }
  }

  /**
   * The first batches, up to one with an event that is looked up or stored: it is looked up when that is stored.
   *
   * @param beside a group of the same insert
   */
  private takeGroup(maxBytes: number, beside: PendingGroup<Group> | null = null): PendingGroup<Group> | null {
    if (this.blockedBy !== null) return null;
    const { waiting } = this;
    const others = [...this.running].flat();
    if (beside !== null) others.push(beside);
    let bytes = 0;
    let count = 0;
    for (const batch of waiting) {
      const isFirst = count === 0 && beside === null;
      if (!isFirst && bytes + batch.bytes > maxBytes) break;
      this.blockedBy = others.find((group) => group.sharesId(batch)) ?? null;
      if (this.blockedBy !== null) break;
      bytes += batch.bytes;
      count++;
    }
    return count === 0 ? null : new PendingGroup(waiting.splice(0, count), bytes, this.store);
  }
}

/** Batches that are looked up together. */
class PendingGroup<Group extends LookedUp> {
  readonly waiters: readonly Waiter[];
  readonly bytes: number;
  readonly lookedUp: Promise<Group>;
  private ids: Set<string> | null = null;

  constructor(waiters: readonly Waiter[], bytes: number, store: GroupStore<Group>) {
    this.waiters = waiters;
    this.bytes = bytes;
    this.lookedUp = store.lookUp(waiters);
    // A failure is thrown to the insert that it is a part of.
    this.lookedUp.catch(() => undefined);
  }

  /** By ids alone: which of them are the same event depends on times, too. */
  sharesId({ rows }: WaitingBatch): boolean {
    const ids = (this.ids ??= new Set(this.waiters.flatMap((batch) => batch.rows.map(({ id }) => id))));
    return rows.some(({ id }) => ids.has(id));
  }
}
