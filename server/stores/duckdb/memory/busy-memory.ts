/**
 * Returns freed memory to the operating system while the store is in use. Under a load that never pauses, what batches
 * and queries have freed stays with the process until it is ended for its size, although the store needs much less
 * (measured: 906 MiB, 644 MiB after the return, which took 19 ms). The same within one long statement: a checkpoint of
 * a table with 320 columns had 1,064 to 1,212 MiB at its peak, and 924 to 939 with returns in the middle of it.
 */

/** Share of the budget from which memory is returned. */
const LARGE_SHARE = 3 / 4;
/** The same before a commit that takes much memory: 230 MiB for 60 values of a megabyte. */
const LARGE_SHARE_BEFORE_COMMIT = 1 / 2;
const LEAST_PAUSE_MS = 200;
/** How often the size of the process is read during a statement. */
const LOOK_EVERY_MS = 50;
/** Reading the size of the process takes up to 40 microseconds. */
const READ_EVERY_MS = 20;
/** Bounds the share of the time that is spent on it. */
const PAUSE_FACTOR = 10;

export interface BusyMemoryOptions {
  readonly giveBack: () => Promise<void>;
  /** Resident memory at which the process is ended. */
  readonly budgetBytes: number;
  readonly residentBytes?: () => number;
}

export class BusyMemory {
  private readonly options: BusyMemoryOptions;
  private isRunning = false;
  private isStopped = false;
  private notBefore = 0;
  /** Statements that run. */
  private statements = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(options: BusyMemoryOptions) {
    this.options = options;
  }

  /** To be called before each query and before the writer works; `end` after it. */
  begin(): void {
    if (this.statements++ === 0) this.timer = setInterval(() => this.used(), LOOK_EVERY_MS).unref();
  }

  end(): void {
    if (--this.statements === 0 && this.timer !== null) clearInterval(this.timer);
  }

  stop(): void {
    this.isStopped = true;
  }

  /** To be called before a large commit: what is free cannot be returned fast enough in the middle of it. */
  async makeRoom(): Promise<void> {
    // A failure is of no consequence.
    if (!this.isStopped && this.isLarge(LARGE_SHARE_BEFORE_COMMIT))
      await this.options.giveBack().catch(() => undefined);
  }

  /** To be called after each query, commit and checkpoint. */
  used(): void {
    const usedAt = performance.now();
    if (this.isStopped || this.isRunning || usedAt < this.notBefore) return;
    this.notBefore = usedAt + READ_EVERY_MS;
    if (!this.isLarge(LARGE_SHARE)) return;
    this.isRunning = true;
    const startedAt = performance.now();
    this.options
      .giveBack()
      // A failure is of no consequence: the memory is returned after a later use.
      .catch(() => undefined)
      .finally(() => {
        this.isRunning = false;
        const now = performance.now();
        this.notBefore = now + Math.max(LEAST_PAUSE_MS, PAUSE_FACTOR * (now - startedAt));
      });
  }

  private isLarge(share: number): boolean {
    const { budgetBytes, residentBytes = () => process.memoryUsage.rss() } = this.options;
    return residentBytes() >= budgetBytes * share;
  }
}
