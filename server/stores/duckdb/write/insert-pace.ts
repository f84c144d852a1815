/**
 * Pace of recent inserts, which tells how long waiting batches will take. Small rows cost by their number, large ones
 * by their bytes; a busy machine makes both slower.
 */
export interface InsertSize {
  readonly rows: number;
  readonly bytes: number;
}

/** Share of the newest insert in the pace. */
const NEWEST_SHARE = 0.3;

export class InsertPace {
  /** Milliseconds; null: nothing was inserted yet. */
  private perRow: number | null = null;
  private perByte: number | null = null;

  note({ rows, bytes }: InsertSize, tookMs: number): void {
    this.perRow = mixed(this.perRow, tookMs / Math.max(1, rows));
    this.perByte = mixed(this.perByte, tookMs / Math.max(1, bytes));
  }

  /** The lower of both estimates: batches of other senders may have other rows. Zero before the first insert. */
  estimateMs({ rows, bytes }: InsertSize): number {
    if (this.perRow === null || this.perByte === null) return 0;
    return Math.min(rows * this.perRow, bytes * this.perByte);
  }

  /** Rows that take this long, by their number. */
  rowsWithin(ms: number): number {
    return this.perRow === null || this.perRow === 0 ? Infinity : ms / this.perRow;
  }
}

function mixed(former: number | null, newest: number): number {
  return former === null ? newest : (1 - NEWEST_SHARE) * former + NEWEST_SHARE * newest;
}
