/**
 * Pool of connections for reading, one query at a time on each. The engine, and not the pool, limits the number of
 * concurrent queries.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { ServiceError } from '#contract/errors';

const BEGIN = 'BEGIN TRANSACTION READ ONLY';

export class ConnectionPool {
  private readonly connect: () => Promise<DuckDBConnection>;
  /**
   * Idle connections, each in a read-only transaction without a statement yet. A transaction in DuckDB gets its
   * snapshot at its first statement (setting `immediate_transaction_mode`, off), so no data is stale, and a query saves
   * a round trip.
   */
  private readonly idle: DuckDBConnection[] = [];
  private readonly busy = new Set<DuckDBConnection>();
  private isClosed = false;
  private whenIdle: (() => void) | null = null;
  /** End of a task of `whileUnused`. */
  private pause: Promise<void> | null = null;

  constructor(connect: () => Promise<DuckDBConnection>) {
    this.connect = connect;
  }

  /** Runs a task in a read-only transaction. Its result does not wait for the rollback, which changes nothing. */
  async readOnly<T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    if (this.pause !== null) await this.pause;
    if (this.isClosed) throw new ServiceError('backend_unavailable', 'the store is closed');
    const connection = this.idle.pop() ?? (await this.open());
    this.busy.add(connection);
    try {
      return await task(connection);
    } finally {
      void this.release(connection);
    }
  }

  /** Runs a short task while no query runs, and further ones wait for its end. Skips it while one runs. */
  async whileUnused(task: () => Promise<void>): Promise<void> {
    if (this.busy.size > 0 || this.isClosed) return;
    const running = task();
    this.pause = running.catch(() => undefined).finally(() => (this.pause = null));
    await running;
  }

  private async open(): Promise<DuckDBConnection> {
    const connection = await this.connect();
    await connection.run(BEGIN);
    return connection;
  }

  /** A connection whose transaction cannot be ended is closed. */
  private async release(connection: DuckDBConnection): Promise<void> {
    try {
      // Together: each statement of its own costs another hop to the driver's threads.
      await connection.run(`ROLLBACK; ${BEGIN}`);
      this.idle.push(connection);
    } catch {
      connection.closeSync();
    }
    this.busy.delete(connection);
    if (this.busy.size === 0) this.whenIdle?.();
  }

  /** Interrupts running queries, waits until they have ended, and closes. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const connection of this.busy) connection.interrupt();
    if (this.busy.size > 0) await new Promise<void>((resolve) => (this.whenIdle = resolve));
    for (const connection of this.idle) connection.closeSync();
    this.idle.length = 0;
  }
}
