/** Which rows a live tail has shown: answers overlap, because events arrive late. */
import type { Row } from '../api/run-query';

interface Seen {
  readonly micros: number;
  count: number;
}

export class SeenRows {
  private readonly seen = new Map<string, Seen>();

  get isEmpty(): boolean {
    return this.seen.size === 0;
  }

  /**
   * Rows of an answer that no answer before had. Equal rows are counted: two that are the same in all columns are two
   * lines.
   */
  takeNew(rows: readonly Row[]): readonly Row[] {
    const counts = new Map<string, number>();
    return rows.filter((row) => {
      const key = keyOf(row);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      const before = this.seen.get(key);
      if (before !== undefined && before.count >= count) return false;
      if (before === undefined) this.seen.set(key, { micros: microsOf(row), count });
      else before.count = count;
      return true;
    });
  }

  /** Drops rows that no later answer can have. */
  forgetBefore(micros: number): void {
    for (const [key, { micros: at }] of this.seen) if (at < micros) this.seen.delete(key);
  }
}

export function microsOf(row: Row): number {
  return Number(row['timestamp']);
}

/** Without an id, rows are the same when all of their values are. */
function keyOf(row: Row): string {
  const { id, timestamp, event_message: message } = row;
  return typeof id === 'string' && id !== '' ? JSON.stringify([id, timestamp, message]) : JSON.stringify(row);
}
