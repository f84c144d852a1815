/**
 * Bounds of the number of blocks that others have stored in a table. ClickHouse counts all blocks of a table, this
 * server counts its own: the rest are those of other servers (decision 0281). Where the lower bound before the look-up
 * of an insert and the upper bound after it are the same number, no other server stored anything in between.
 */

/** What ClickHouse says of a table. */
export interface BlockSample {
  /** Highest number of a block; 0: the table is empty. */
  readonly lastBlock: number;
  readonly uptimeSeconds: number;
}

/** What was known at some time. */
export interface ForeignCount {
  readonly atLeast: number;
  /** Counts of different periods cannot be compared. */
  readonly period: number;
}

/** Uptime is in whole seconds. */
const CLOCK_SLACK_SECONDS = 2;

export class ForeignBlocks {
  private readonly nowMs: () => number;
  /** Own blocks that are stored for certain. */
  private stored = 0;
  /** The same, and those of inserts under way. */
  private begun = 0;
  private known: ForeignCount = { atLeast: -Infinity, period: 0 };
  private latest = { lastBlock: 0, upSinceSeconds: -Infinity };

  /** @param nowMs a clock that never goes back */
  constructor(nowMs = (): number => performance.now()) {
    this.nowMs = nowMs;
  }

  /** To be read before the look-up of an insert. */
  get count(): ForeignCount {
    return this.known;
  }

  begin(blocks: number): void {
    this.begun += blocks;
  }

  /** @param areStored false when it is not certain that all of them are stored: they count as those of others */
  end(blocks: number, areStored: boolean): void {
    if (areStored) this.stored += blocks;
    else this.begun -= blocks;
  }

  /**
   * True when certainly no other server has stored anything since a count.
   *
   * @param read asks ClickHouse after the insert; null: it cannot be asked
   */
  async areUnchanged(since: ForeignCount, read: () => Promise<BlockSample | null>): Promise<boolean> {
    const { stored, latest } = this;
    const sample = await read();
    if (sample === null) return false;
    const { lastBlock, uptimeSeconds } = sample;
    const upSinceSeconds = this.nowMs() / 1000 - uptimeSeconds;
    // A sample of a process that has ended: a later one was quicker.
    if (upSinceSeconds < this.latest.upSinceSeconds - CLOCK_SLACK_SECONDS) return false;
    // After a start, ClickHouse counts on from the highest block that was not dropped.
    const isRestarted = upSinceSeconds > latest.upSinceSeconds + CLOCK_SLACK_SECONDS;
    if (isRestarted || lastBlock < latest.lastBlock) {
      this.known = { atLeast: -Infinity, period: this.known.period + 1 };
      this.latest = { lastBlock, upSinceSeconds };
    } else if (lastBlock > this.latest.lastBlock) this.latest = { lastBlock, upSinceSeconds };
    const { atLeast, period } = this.known;
    if (lastBlock - this.begun > atLeast) this.known = { atLeast: lastBlock - this.begun, period };
    return period === since.period && lastBlock - stored === since.atLeast;
  }
}
