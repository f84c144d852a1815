/**
 * Counts the columns that were written to since the last checkpoint, and their values. Each column keeps half a
 * megabyte of DuckDB's memory until the next one (measured: 0.44 MB), even with few rows, and no query can free it:
 * events of ninety days at once would use up any memory. Beyond that a value takes 8 bytes and more, also an empty one:
 * 90,000 small events of a day with 390 columns would keep 300 MB, with a log too small for a checkpoint. A checkpoint
 * also ends the row groups, which `LargeRows` need small.
 */
import { COLUMNS_PER_MIB } from '../sources/column-memory';
import type { LargeRows } from './large-rows';

/** Limits these values to an eighth of the memory, where they are small. */
const VALUES_PER_MIB = 16_384;

export class OpenParts {
  private readonly maxColumns: number;
  private readonly maxValues: number;
  /** Number of columns by table. */
  private readonly columns = new Map<string, number>();
  private total = 0;
  private values = 0;
  private largeBytes = 0;

  constructor(
    memoryLimitMb: number,
    private readonly large: Pick<LargeRows, 'areMany'>
  ) {
    this.maxColumns = memoryLimitMb * COLUMNS_PER_MIB;
    this.maxValues = memoryLimitMb * VALUES_PER_MIB;
  }

  /** True when a checkpoint is needed before rows are inserted into a table. @param columns of the table */
  isTooMuch(table: string, columns: number): boolean {
    return this.total > 0 && !this.columns.has(table) && this.total + columns > this.maxColumns;
  }

  /** True when the rows that were inserted need a checkpoint. */
  get hasManyValues(): boolean {
    return this.values > this.maxValues || this.large.areMany(this.largeBytes);
  }

  note(table: string, columns: number): void {
    this.total += columns - (this.columns.get(table) ?? 0);
    this.columns.set(table, columns);
  }

  /** @param columns of the table of the rows @param largeBytes of the large ones */
  addRows(rows: number, columns: number, largeBytes: number): void {
    this.values += rows * columns;
    this.largeBytes += largeBytes;
  }

  /** Called after a checkpoint. */
  clear(): void {
    this.columns.clear();
    this.total = 0;
    this.values = 0;
    this.largeBytes = 0;
  }
}
