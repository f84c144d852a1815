/**
 * Counts the rows in the last row group of each table, so that transactions can end where a row group is full. DuckDB
 * writes the full row groups of a transaction at its commit, or when it has five of them. Until then they are in memory
 * as rows. If small ones follow them, a later checkpoint that merges writes both again as fewer row groups.
 */

import { ROW_GROUP_ROWS } from '../file/database';

export class RowGroups {
  /** Committed rows in a last row group that gets more rows, by table. */
  private readonly last = new Map<string, number>();
  /** Rows of the open transaction, by table. */
  private readonly open = new Map<string, number>();
  /** Tables whose first rows are in the open transaction. */
  private readonly created = new Set<string>();

  /** Rows of the open transaction. */
  get openRows(): number {
    return [...this.open.values()].reduce((sum, rows) => sum + rows, 0);
  }

  /** Rows until the transaction fills the last row group of the table, from 0. */
  room(table: string): number {
    return ROW_GROUP_ROWS - (this.last.get(table) ?? 0) - (this.open.get(table) ?? 0);
  }

  create(table: string): void {
    this.created.add(table);
  }

  /** @param rows at most the room */
  add(table: string, rows: number): void {
    this.open.set(table, (this.open.get(table) ?? 0) + rows);
  }

  /** @returns rows that the transaction added, by table */
  committed(): ReadonlyMap<string, number> {
    const added = new Map(this.open);
    for (const [table, rows] of added) {
      // The first rows of a table, and full row groups, get no further rows (DuckDB 1.5.6).
      const isClosed = this.created.has(table) || this.room(table) === 0;
      this.last.set(table, isClosed ? 0 : (this.last.get(table) ?? 0) + rows);
    }
    this.rolledBack();
    return added;
  }

  rolledBack(): void {
    this.open.clear();
    this.created.clear();
  }

  /** After a checkpoint, new rows begin a new row group. */
  checkpointed(): void {
    this.last.clear();
  }
}
