/** A connection in a read-only transaction without a statement yet, and what ends it and begins the next. */
import { type DuckDBConnection, DuckDBPendingResultState, type DuckDBPreparedStatement } from '@duckdb/node-api';

const BEGIN = 'BEGIN TRANSACTION READ ONLY';
const END = 'ROLLBACK';

/** A statement of one step is done after the first; with more threads of DuckDB another one may take the step. */
const MAX_STEPS = 10_000;

export class ReadingConnection {
  private constructor(
    readonly connection: DuckDBConnection,
    private readonly turn: readonly DuckDBPreparedStatement[]
  ) {}

  static async open(connection: DuckDBConnection): Promise<ReadingConnection> {
    const turn = [await connection.prepare(END), await connection.prepare(BEGIN)];
    await connection.run(BEGIN);
    return new ReadingConnection(connection, turn);
  }

  /** Begins the next transaction. @throws errors of the database; the connection is then of no use */
  async renew(): Promise<void> {
    // Together: each statement of its own costs another hop to the driver's threads.
    await this.connection.run(`${END}; ${BEGIN}`);
  }

  /**
   * The same on this thread, without a hop to those of the driver, for when no other transaction is being ended. The
   * driver cannot free the results of these statements: they keep the database open until V8 collects them.
   * @throws errors of the database; the connection is then of no use
   */
  renewAtOnce(): void {
    for (const statement of this.turn) runAtOnce(statement);
  }
}

function runAtOnce(statement: DuckDBPreparedStatement): void {
  const pending = statement.start();
  for (let step = 0; step < MAX_STEPS; step++) {
    if (pending.runTask() === DuckDBPendingResultState.RESULT_READY) return;
  }
  throw new Error('a transaction does not end');
}
