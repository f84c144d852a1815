/** Connections for reading. One query at a time on each; how many queries run at once is the engine's decision, not the pool's. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { ServiceError } from '#contract/errors';

export class ConnectionPool {
  private readonly connect: () => Promise<DuckDBConnection>;
  private readonly idle: DuckDBConnection[] = [];
  private readonly busy = new Set<DuckDBConnection>();
  private isClosed = false;
  private whenIdle: (() => void) | null = null;

  constructor(connect: () => Promise<DuckDBConnection>) {
    this.connect = connect;
  }

  /** Runs a task in a read-only transaction. Its result does not wait for the end of the transaction, which changes nothing. */
  async readOnly<T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    if (this.isClosed) throw new ServiceError('backend_unavailable', 'the store is closed');
    const connection = this.idle.pop() ?? (await this.connect());
    this.busy.add(connection);
    try {
      await connection.run('BEGIN TRANSACTION READ ONLY');
      return await task(connection);
    } finally {
      void this.release(connection);
    }
  }

  /** A connection whose transaction cannot be ended is not used again. */
  private async release(connection: DuckDBConnection): Promise<void> {
    try {
      await connection.run('ROLLBACK');
      this.idle.push(connection);
    } catch {
      connection.closeSync();
    }
    this.busy.delete(connection);
    if (this.busy.size === 0) this.whenIdle?.();
  }

  /** Interrupts what runs, waits until it has ended, and closes. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const connection of this.busy) connection.interrupt();
    if (this.busy.size > 0) await new Promise<void>((resolve) => (this.whenIdle = resolve));
    for (const connection of this.idle) connection.closeSync();
    this.idle.length = 0;
  }
}
