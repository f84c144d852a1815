/**
 * How many threads DuckDB has. With more than one, each statement is shared with another thread however small it is,
 * and the thread that asked then waits in a loop: 20 to 25 % more processor time, and no shorter (measured up to a
 * million rows on two processors). So there is one, except while large reads run. The setting is that of the whole
 * database.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { PartRead } from '#compiler/store';

/** Estimated rows from which a read is large. */
export const LARGE_READ_ROWS = 500_000;
const LONGEST_WAIT_MS = 20;
/** Time without a large read after which there is one thread again. */
const IDLE_MS = 200;

export interface ReadThreadsOptions {
  /** Threads for large reads. */
  readonly most: number;
  readonly set: (threads: number) => Promise<void>;
  /** Estimated rows of a table. */
  readonly rowsOf: (table: string) => number;
  /** @default microseconds since 1970 */
  readonly nowMicros?: () => number;
}

export class ReadThreads {
  private readonly options: ReadThreadsOptions;
  private current: number;
  private running = 0;
  private change: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;
  private isClosed = false;

  constructor(options: ReadThreadsOptions) {
    this.options = options;
    this.current = options.most;
    this.lowerLater();
  }

  /** Runs a statement that reads these parts. */
  async run<T>(reads: readonly PartRead[], task: () => Promise<T>): Promise<T> {
    if (this.estimateRows(reads) < LARGE_READ_ROWS) return task();
    return this.withAll(task);
  }

  /** Runs a task that may use all threads. */
  async withAll<T>(task: () => Promise<T>): Promise<T> {
    this.running++;
    try {
      // Threads that are to end first finish what they do, which may take longer than the read with one thread.
      await Promise.race([this.have(this.options.most), delay(LONGEST_WAIT_MS)]);
      return await task();
    } finally {
      this.running--;
      this.lowerLater();
    }
  }

  /** Resolves when the setting is not being changed any more. */
  async close(): Promise<void> {
    this.isClosed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.change;
  }

  private estimateRows(reads: readonly PartRead[]): number {
    const { rowsOf, nowMicros = () => Date.now() * 1000 } = this.options;
    const now = nowMicros();
    return reads.reduce((sum, read) => sum + rowsOfRead(read, rowsOf(read.part.table), now), 0);
  }

  private lowerLater(): void {
    if (this.running > 0 || this.isClosed) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.running === 0) void this.have(1);
    }, IDLE_MS).unref();
  }

  /** One change after another. One that fails changes nothing but the speed. */
  private have(threads: number): Promise<void> {
    this.change = this.change.then(async () => {
      if (this.current === threads || this.isClosed) return;
      if (threads === 1 && this.running > 0) return;
      await this.options.set(threads).then(
        () => (this.current = threads),
        () => undefined
      );
    });
    return this.change;
  }
}

/** Rows of the part that lie within the times of the read, if its events so far are spread evenly. */
function rowsOfRead({ part, fromMicros, toMicros }: PartRead, rowsOfTable: number, nowMicros: number): number {
  if (part.rows !== undefined) return part.rows.reduce((sum, { from, to }) => sum + to - from, 0);
  const rows = Math.min(rowsOfTable, part.ofTenants?.rows ?? Infinity);
  const endMicros = Math.max(part.fromMicros + 1, Math.min(part.toMicros, nowMicros));
  const readMicros = Math.min(toMicros, endMicros) - Math.max(fromMicros, part.fromMicros);
  return (rows * Math.max(0, readMicros)) / (endMicros - part.fromMicros);
}
