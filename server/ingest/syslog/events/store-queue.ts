/**
 * Entries of a listener that are read and not stored yet: bounded in bytes, stored in batches, in the order of arrival
 * but for a few batches at once. A batch that cannot be stored now is tried again; only what the store refuses for good
 * is given up.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export interface QueueMemory {
  /** @returns false when there is no room */
  add(bytes: number): boolean;
  subtract(bytes: number): void;
}

export interface EntryBatch {
  readonly lines: readonly Buffer[];
  /** Arbitrary, unique, and the same at each attempt to store the batch. */
  readonly name: string;
  /** Place of the first line among the lines of this name: a half keeps the name of its whole. */
  readonly firstIndex: number;
}

export interface StoreQueueOptions {
  readonly memory: QueueMemory;
  /**
   * Stores a batch, or gives it up; `halve`: its halves are to be stored instead. Rejects when it is to be tried again.
   */
  readonly store: (batch: EntryBatch) => Promise<'done' | 'halve'>;
  readonly nextName: () => string;
  readonly onDelay: (error: unknown) => void;
}

/** As many entries as a slice of a request may have. */
export const MAX_BATCH_ENTRIES = 1000;
const MAX_BATCH_BYTES = 1536 * 1024;
/** Buffer object and list item of an entry. */
const BYTES_PER_ENTRY = 128;
/** Batches that are stored at once: as many as one token may. */
const BATCHES_AT_ONCE = 2;
/** Time in which entries are collected: a batch of one costs the store nearly as much as one of a hundred. */
const COLLECT_MS = 50;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5000;
/** Memory of other senders is released without a notice. */
const ROOM_CHECK_MS = 50;

export class StoreQueue {
  private lines: Buffer[] = [];
  private storing = 0;
  private work: Promise<void> | null = null;
  private isGivenUp = false;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly options: StoreQueueOptions) {}

  /** Entries that are not stored yet. */
  get length(): number {
    return this.lines.length + this.storing;
  }

  /** @returns false when there is no room */
  tryAdd(line: Buffer): boolean {
    if (!this.options.memory.add(costOf(line))) return false;
    this.lines.push(line);
    this.work ??= this.run();
    return true;
  }

  /** Resolves when there may be room. */
  async room(): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ROOM_CHECK_MS);
      this.waiting.add(done);
    });
  }

  /** Resolves when all entries are stored. */
  async drained(): Promise<void> {
    while (this.work !== null) await this.work;
  }

  /** Tries nothing again. @returns the number of entries that are not stored */
  giveUp(): number {
    this.isGivenUp = true;
    return this.length;
  }

  private async run(): Promise<void> {
    if (this.lines.length < MAX_BATCH_ENTRIES) await sleep(COLLECT_MS);
    while (this.lines.length > 0 && !this.isGivenUp)
      await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, () => this.storeBatches()));
    this.work = null;
  }

  private async storeBatches(): Promise<void> {
    while (this.lines.length > 0 && !this.isGivenUp) {
      const lines = this.takeBatch();
      await this.storeUntilDone({ lines, name: this.options.nextName(), firstIndex: 0 });
      if (this.isGivenUp) return;
      this.storing -= lines.length;
      this.options.memory.subtract(lines.reduce((sum, line) => sum + costOf(line), 0));
      for (const resume of [...this.waiting]) resume();
    }
  }

  private takeBatch(): Buffer[] {
    let bytes = 0;
    let count = 0;
    while (count < this.lines.length && count < MAX_BATCH_ENTRIES) {
      bytes += this.lines[count]!.length;
      if (count > 0 && bytes > MAX_BATCH_BYTES) break;
      count++;
    }
    const batch = this.lines.splice(0, count);
    this.storing += batch.length;
    return batch;
  }

  private async storeUntilDone(batch: EntryBatch): Promise<void> {
    for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(2 * delayMs, LONGEST_RETRY_MS)) {
      try {
        if ((await this.options.store(batch)) === 'done') return;
        for (const half of halvesOf(batch)) await this.storeUntilDone(half);
        return;
      } catch (error) {
        this.options.onDelay(error);
        if (this.isGivenUp) return;
        await sleep(delayMs);
      }
    }
  }
}

function halvesOf({ lines, name, firstIndex }: EntryBatch): readonly EntryBatch[] {
  const middle = Math.ceil(lines.length / 2);
  return [
    { lines: lines.slice(0, middle), name, firstIndex },
    { lines: lines.slice(middle), name, firstIndex: firstIndex + middle },
  ];
}

function costOf(line: Buffer): number {
  return line.length + BYTES_PER_ENTRY;
}
