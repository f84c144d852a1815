/**
 * Bounds the blocks that loads and work in the background leave in memory. DuckDB keeps every block that it writes or
 * reads until the memory limit is reached, although most of them are not asked for soon (measured: 350 of 673 MB after
 * 1.5 million events). Without this, the largest memory of a load would follow the limit that queries need.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { ROW_GROUP_ROWS } from '../file/database';

/** Share of the memory limit from which blocks are dropped. */
const MOST_SHARE = 1 / 8;

export interface CachedBlocksOptions {
  readonly cachedBytes: (connection: DuckDBConnection) => Promise<number>;
  readonly drop: (connection: DuckDBConnection) => Promise<void>;
  /** Runs a task on the writer's connection while nothing is written: an insert beside a drop could find no memory. */
  readonly exclusive: (task: (writer: DuckDBConnection) => Promise<void>) => Promise<void>;
  /** Whether other work than queries may need the memory now. */
  readonly isNeeded: () => boolean;
  readonly memoryLimitMb: number;
}

export class CachedBlocks {
  /** Committed since the last look. */
  private rows = 0;

  constructor(private readonly options: CachedBlocksOptions) {}

  /** To be called on the writer's connection after each commit. @param rows of the transaction */
  async committed(writer: DuckDBConnection, rows: number): Promise<void> {
    this.rows += rows;
    if (this.rows < ROW_GROUP_ROWS || this.options.isNeeded()) return;
    this.rows = 0;
    await this.bound(writer, () => this.options.drop(writer));
  }

  /** To be called after a day was read for no query. */
  async read(connection: DuckDBConnection): Promise<void> {
    const { drop, exclusive, isNeeded } = this.options;
    if (!isNeeded()) await this.bound(connection, () => exclusive(drop));
  }

  private async bound(connection: DuckDBConnection, drop: () => Promise<void>): Promise<void> {
    const { cachedBytes, memoryLimitMb } = this.options;
    try {
      if ((await cachedBytes(connection)) >= memoryLimitMb * 1024 * 1024 * MOST_SHARE) await drop();
    } catch {
      // Without consequence: the next look tries again.
    }
  }
}
