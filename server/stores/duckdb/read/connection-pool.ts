/**
 * Pool of connections for reading, one query at a time on each. The engine, and not the pool, limits the number of
 * concurrent queries.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { ServiceError } from '#contract/errors';
import { ReadingConnection } from './reading-connection';
import type { WriteActivity } from '../file/write-activity';

export class ConnectionPool {
  private readonly connect: () => Promise<DuckDBConnection>;
  private readonly writes: Pick<WriteActivity, 'restNumber'> | null;
  /**
   * Idle connections, each in a read-only transaction without a statement yet. A transaction in DuckDB gets its
   * snapshot at its first statement (setting `immediate_transaction_mode`, off), so no data is stale, and a query saves
   * a round trip.
   */
  private readonly idle: ReadingConnection[] = [];
  private readonly busy = new Set<ReadingConnection>();
  /** Tasks that run, or for which a connection is being opened. */
  private running = 0;
  private isClosed = false;
  private whenIdle: (() => void) | null = null;
  /** End of a task of `whileUnused`. */
  private pause: Promise<void> | null = null;

  /** @param writes null: transactions are never ended on this thread */
  constructor(connect: () => Promise<DuckDBConnection>, writes: Pick<WriteActivity, 'restNumber'> | null) {
    this.connect = connect;
    this.writes = writes;
  }

  /** Runs a task in a read-only transaction. Its result does not wait for the rollback, which changes nothing. */
  async readOnly<T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    if (this.pause !== null) await this.pause;
    this.ensureOpen();
    this.running++;
    const reader = await this.acquire().catch((error: unknown) => {
      this.ended();
      throw error;
    });
    const restNumber = this.writes?.restNumber ?? null;
    try {
      this.ensureOpen();
      return await task(reader.connection);
    } finally {
      const isAtRest = restNumber !== null && restNumber === this.writes?.restNumber;
      void this.release(reader, isAtRest);
    }
  }

  private ensureOpen(): void {
    if (this.isClosed) throw new ServiceError('backend_unavailable', 'The store is closed.');
  }

  private async acquire(): Promise<ReadingConnection> {
    const reader = this.idle.pop() ?? (await ReadingConnection.open(await this.connect()));
    this.busy.add(reader);
    return reader;
  }

  /** Runs a short task while no query runs, and further ones wait for its end. Skips it while one runs. */
  async whileUnused(task: () => Promise<void>): Promise<void> {
    if (this.running > 0 || this.isClosed) return;
    const running = task();
    this.pause = running.catch(() => undefined).finally(() => (this.pause = null));
    await running;
  }

  /** A connection whose transaction cannot be ended is closed. */
  private async release(reader: ReadingConnection, isAtRest: boolean): Promise<void> {
    try {
      if (isAtRest) reader.renewAtOnce();
      else await reader.renew();
      this.idle.push(reader);
    } catch {
      reader.connection.closeSync();
    }
    this.busy.delete(reader);
    this.ended();
  }

  private ended(): void {
    if (--this.running === 0) this.whenIdle?.();
  }

  /** Interrupts running queries, waits until they have ended, and closes. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const { connection } of this.busy) connection.interrupt();
    if (this.running > 0) await new Promise<void>((resolve) => (this.whenIdle = resolve));
    for (const { connection } of this.idle) connection.closeSync();
    this.idle.length = 0;
  }
}
