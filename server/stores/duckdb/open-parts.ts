/**
 * Counts the columns that were written to since the last checkpoint. Each keeps half a megabyte of DuckDB's memory until the next one (measured:
 * 0.44 MB), however few rows it got, and no query can make room: events of ninety days at once would use up any memory.
 */

/** Half of the memory at most. */
const COLUMNS_PER_MIB = 1;

export class OpenParts {
  private readonly maxColumns: number;
  /** By table. */
  private readonly columns = new Map<string, number>();
  private total = 0;

  constructor(memoryLimitMb: number) {
    this.maxColumns = memoryLimitMb * COLUMNS_PER_MIB;
  }

  /** Whether a checkpoint is needed before rows are inserted into a table. @param columns of the table */
  isTooMuch(table: string, columns: number): boolean {
    return this.total > 0 && !this.columns.has(table) && this.total + columns > this.maxColumns;
  }

  note(table: string, columns: number): void {
    this.total += columns - (this.columns.get(table) ?? 0);
    this.columns.set(table, columns);
  }

  /** After a checkpoint. */
  clear(): void {
    this.columns.clear();
    this.total = 0;
  }
}
