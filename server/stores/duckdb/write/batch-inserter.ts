/**
 * Inserts journaled batches into the tables, in order and after their acknowledgment. A transaction stays open while
 * batches keep arriving; the writer commits it where it fills a row group, which bypasses DuckDB's write-ahead log. It
 * is also committed when it is large, when no batch arrives for a moment, and at once when a reader waits for it.
 */
import type { EventMark } from '../../ingest/event/known-events';
import type { BatchWriter, FreshBatch } from './batch-writer';
import { InsertPace } from './insert-pace';
import { ROW_GROUP_ROWS } from '../file/database';
import type { SourceState } from '../sources/source-state';
import type { WriteActivity } from '../file/write-activity';

export interface JournaledBatch extends FreshBatch {
  readonly position: number;
  readonly bytes: number;
  readonly events: readonly EventMark[];
}

export interface InserterEvents {
  /** Called after each commit. @param changed sources whose parts or fields have changed. */
  onCommitted(changed: readonly SourceState[], position: number): void;
  /**
   * Called on a failure. The inserter stores nothing until `restart`; the open transaction is rolled back before the
   * next `exclusive` task.
   */
  onFailed(error: unknown): void;
}

/** Bounds the batches that are replayed after a crash. */
const LARGE_TRANSACTION_BATCHES = 500;
/** Smaller transactions go to the write-ahead log: a checkpoint after each of them would leave a small row group. */
const LEAST_BYTES_TO_FILE = 24 * 1024 * 1024;
const MAX_WAITING_BATCHES = 250;
/** Bytes of batches as they arrived. The rows of a transaction stay in memory until they fill a row group. */
const LARGE_TRANSACTION_BYTES = 192 * 1024 * 1024;
/** Maximum waiting bytes: how far senders may be ahead of the tables, and how much a query may have to wait for. */
const MAX_WAITING_BYTES = 6 * 1024 * 1024;
const MAX_WAITING_ROWS = 8_192;
/** Longest time that waiting batches may take to insert, by the pace of recent ones. */
const MAX_WAITING_MS = 300;
/** Waiting bytes that take about half a second to insert. */
const FAR_BEHIND_WAITING_BYTES = 2 * 1024 * 1024;
/** Inserted bytes that take about half a second to commit. */
const FAR_BEHIND_INSERTED_BYTES = 24 * 1024 * 1024;
/** An insert that takes longer waits for a checkpoint, or finds a busy machine. */
const FAR_BEHIND_INSERT_MS = 500;
/** How long a transaction waits for the next batch. A sender with a single connection sends it sooner than this. */
const LINGER_MS = 50;
/**
 * The same for a large transaction: another batch is likelier, and what a small row group costs later is more than the
 * wait.
 */
const LARGE_LINGER_MS = 250;
const LARGE_LINGER_BYTES = 8 * 1024 * 1024;

/** Maximum rows of one insert of several batches: a statement costs as much as some hundred rows. */
const MAX_GROUP_ROWS = 4_096;
const MIN_GROUP_ROWS = 500;
/** A reader waits for the whole insert that runs. */
const MAX_GROUP_MS = 150;

interface Waiter {
  readonly position: number;
  readonly resolve: () => void;
}

/** Rest of a batch whose rows are in the open transaction. */
type InsertedBatch = Pick<JournaledBatch, 'state' | 'events'>;

export class BatchInserter {
  private readonly writer: BatchWriter;
  private readonly events: InserterEvents;
  private readonly writes: WriteActivity;
  private waiting: JournaledBatch[] = [];
  private waitingBytes = 0;
  private waitingRows = 0;
  private readonly pace = new InsertPace();
  private inserted: InsertedBatch[] = [];
  private insertedBytes = 0;
  /** Positions of the newest batch that was added, inserted and committed. */
  private addedPosition: number;
  private insertedPosition: number;
  private committed: number;
  private waiters: Waiter[] = [];
  private tasks: (() => Promise<void>)[] = [];
  /** Tasks for `whenDrained`. While there are any, `room` waits. */
  private drainedTasks: (() => Promise<void>)[] = [];
  private roomWaiters: (() => void)[] = [];
  private isRunning = false;
  /** When the running insert, commit, task or pause began, on the clock of `performance`. */
  private actionStartedAt = 0;
  private runsTask = false;
  private hasFailed = false;
  private wake: (() => void) | null = null;

  constructor(writer: BatchWriter, position: number, events: InserterEvents, writes: WriteActivity) {
    this.writer = writer;
    this.events = events;
    this.writes = writes;
    this.addedPosition = this.insertedPosition = this.committed = position;
  }

  get committedPosition(): number {
    return this.committed;
  }

  /** Adds a batch. After a failure batches stay in the journal only. */
  add(batch: JournaledBatch): void {
    if (this.hasFailed) return;
    this.waiting.push(batch);
    this.waitingBytes += batch.bytes;
    this.waitingRows += batch.rows.length;
    this.addedPosition = batch.position;
    this.run();
  }

  /**
   * True when `catchUp` may take longer than a reader should wait: much is to be inserted or committed, a checkpoint
   * runs, or an insert takes long.
   */
  get isFarBehind(): boolean {
    const hasMuch = this.waitingBytes >= FAR_BEHIND_WAITING_BYTES || this.insertedBytes >= FAR_BEHIND_INSERTED_BYTES;
    const isSlow = this.isRunning && performance.now() - this.actionStartedAt >= FAR_BEHIND_INSERT_MS;
    return !this.hasFailed && (hasMuch || this.runsTask || isSlow);
  }

  /** Resolves when there is room for more batches. */
  async room(): Promise<void> {
    while (this.isFull() && !this.hasFailed) {
      await new Promise<void>((resolve) => this.roomWaiters.push(resolve));
    }
  }

  /** True when every batch is committed, or none will be because of a failure. */
  get isCaughtUp(): boolean {
    return this.hasFailed || this.addedPosition <= this.committed;
  }

  /** Resolves when every batch added before is committed, or at a failure. */
  catchUp(): Promise<void> {
    if (this.isCaughtUp) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiters.push({ position: this.addedPosition, resolve });
      this.run();
    });
  }

  /** Runs a task on the writer's connection while no transaction is open. */
  exclusive<T>(task: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.tasks.push(() => task().then(resolve, reject));
      this.run();
    });
  }

  /**
   * Runs a long task as `exclusive` does, once all batches are committed; further batches are acknowledged after it, so
   * that no query waits for the task.
   */
  whenDrained<T>(task: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.drainedTasks.push(() => task().then(resolve, reject));
      this.run();
    });
  }

  /** Continues after a failure, from the position of the tables. */
  restart(position: number): void {
    this.addedPosition = this.insertedPosition = this.committed = position;
    this.hasFailed = false;
    this.run();
  }

  private run(): void {
    this.wake?.();
    if (!this.isRunning) void this.writes.during(() => this.work());
  }

  private async work(): Promise<void> {
    this.isRunning = true;
    for (let action = this.nextAction(); action !== null; action = this.nextAction()) {
      this.actionStartedAt = performance.now();
      try {
        await action();
      } catch (error) {
        this.stop(error);
        await this.writer.rollBack();
      }
    }
    // Synchronously after the last `nextAction`: a later `run` starts the loop again.
    this.isRunning = false;
  }

  private nextAction(): (() => Promise<void>) | null {
    const isWaitedFor = this.tasks.length > 0 || this.waiters.some(({ position }) => position <= this.insertedPosition);
    const isDrained = this.waiting.length === 0 && this.drainedTasks.length > 0;
    if (this.inserted.length > 0 && (isWaitedFor || isDrained || this.isLarge())) {
      return () => (isWaitedFor ? this.commit() : this.commitToFile());
    }
    const task = this.tasks.shift();
    if (task !== undefined) return () => this.runTask(task);
    if (this.waiting.length > 0) return () => this.insert(this.nextGroup());
    if (isDrained) return () => this.runDrainedTask();
    return this.inserted.length > 0 ? () => this.linger() : null;
  }

  private async runTask(task: () => Promise<void>): Promise<void> {
    this.runsTask = true;
    await task().finally(() => (this.runsTask = false));
  }

  private async runDrainedTask(): Promise<void> {
    const [task] = this.drainedTasks;
    await this.runTask(task!);
    this.drainedTasks.shift();
    this.releaseRoom();
  }

  private isLarge(): boolean {
    return (
      this.writer.openRows >= ROW_GROUP_ROWS ||
      this.insertedBytes >= LARGE_TRANSACTION_BYTES ||
      this.inserted.length >= LARGE_TRANSACTION_BATCHES
    );
  }

  private isFull(): boolean {
    const isLong = this.waitingRows >= MAX_WAITING_ROWS || this.waiting.length >= MAX_WAITING_BATCHES;
    const isLarge = this.waitingBytes >= MAX_WAITING_BYTES;
    const waitingMs = this.pace.estimateMs({ rows: this.waitingRows, bytes: this.waitingBytes });
    return isLong || isLarge || waitingMs >= MAX_WAITING_MS || this.drainedTasks.length > 0;
  }

  /** The oldest waiting batches of one source, as one insert. */
  private nextGroup(): readonly JournaledBatch[] {
    const [first] = this.waiting;
    const maxRows = Math.min(MAX_GROUP_ROWS, Math.max(MIN_GROUP_ROWS, this.pace.rowsWithin(MAX_GROUP_MS)));
    let rows = 0;
    const end = this.waiting.findIndex(
      (batch) => batch.state !== first!.state || (rows += batch.rows.length) > maxRows
    );
    return this.waiting.slice(0, end === -1 ? this.waiting.length : Math.max(1, end));
  }

  private async insert(group: readonly JournaledBatch[]): Promise<void> {
    const batch = merged(group);
    // Column changes have their own transaction: DuckDB does not alter tables with uncommitted rows.
    const alters = this.writer.altersTables(batch);
    if (alters && this.inserted.length > 0) await this.commit();
    const before = this.insertedPosition;
    const startedAt = performance.now();
    if (await this.writer.insert(batch, before)) this.settle(before, this.writer.takeChanged());
    const bytes = group.reduce((sum, each) => sum + each.bytes, 0);
    this.pace.note({ rows: batch.rows.length, bytes }, performance.now() - startedAt);
    this.waiting.splice(0, group.length);
    this.waitingRows -= batch.rows.length;
    for (const { state, events, bytes, position } of group) {
      this.waitingBytes -= bytes;
      this.inserted.push({ state, events });
      this.insertedBytes += bytes;
      this.insertedPosition = position;
    }
    if (alters) await this.commit();
    this.releaseRoom();
  }

  private async commit(): Promise<void> {
    const position = this.insertedPosition;
    this.settle(position, await this.writer.commit(position));
  }

  /** Like `commit`, and writes a large transaction to the database file at once, for when no reader waits. */
  private async commitToFile(): Promise<void> {
    if (this.insertedBytes < LEAST_BYTES_TO_FILE) return this.commit();
    const position = this.insertedPosition;
    this.settle(position, await this.writer.commitToFile(position));
  }

  /** Called when all inserted batches are committed. @param position of the last one */
  private settle(position: number, changed: readonly SourceState[]): void {
    for (const { state, events } of this.inserted) state.pending.remove(events);
    this.clearInserted();
    this.committed = position;
    this.events.onCommitted(changed, position);
    const done = this.waiters.filter((waiter) => waiter.position <= position);
    this.waiters = this.waiters.filter((waiter) => waiter.position > position);
    for (const { resolve } of done) resolve();
  }

  /** Waits for the next batch or for a reader; commits when neither comes. */
  private async linger(): Promise<void> {
    const isLarge = this.insertedBytes >= LARGE_LINGER_BYTES;
    const isWoken = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), isLarge ? LARGE_LINGER_MS : LINGER_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
    this.wake = null;
    if (!isWoken) await this.commitToFile();
  }

  private stop(error: unknown): void {
    this.hasFailed = true;
    this.events.onFailed(error);
    this.waiting = [];
    this.waitingBytes = 0;
    this.waitingRows = 0;
    this.clearInserted();
    for (const { resolve } of this.waiters) resolve();
    this.waiters = [];
    this.releaseRoom();
  }

  private clearInserted(): void {
    this.inserted = [];
    this.insertedBytes = 0;
  }

  private releaseRoom(): void {
    if (!this.hasFailed && this.isFull()) return;
    for (const resolve of this.roomWaiters) resolve();
    this.roomWaiters = [];
  }
}

function merged(group: readonly FreshBatch[]): FreshBatch {
  const [first] = group;
  if (group.length === 1) return first!;
  return {
    state: first!.state,
    rows: group.flatMap(({ rows }) => rows),
    touched: [...new Set(group.flatMap(({ touched }) => touched))],
    changed: [...new Set(group.flatMap(({ changed }) => changed))],
  };
}
