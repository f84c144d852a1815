/**
 * Counts the columns that were written to since the last checkpoint. Each keeps half a megabyte of DuckDB's memory
 * until the next one (measured: 0.44 MB), even with few rows, and no query can free it: events of ninety days at once
 * would use up any memory.
 */

/** Limits these columns to half of the memory. */
const COLUMNS_PER_MIB = 1;

export class OpenParts {
  private readonly maxColumns: number;
  /** Number of columns by table. */
  private readonly columns = new Map<string, number>();
  private total = 0;

  constructor(memoryLimitMb: number) {
    this.maxColumns = memoryLimitMb * COLUMNS_PER_MIB;
  }

  /** True when a checkpoint is needed before rows are inserted into a table. @param columns of the table */
  isTooMuch(table: string, columns: number): boolean {
    return this.total > 0 && !this.columns.has(table) && this.total + columns > this.maxColumns;
  }

  note(table: string, columns: number): void {
    this.total += columns - (this.columns.get(table) ?? 0);
    this.columns.set(table, columns);
  }

  /** Called after a checkpoint. */
  clear(): void {
    this.columns.clear();
    this.total = 0;
  }
}
