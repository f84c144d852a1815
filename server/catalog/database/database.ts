/**
 * Connections to the catalog database. Values are always bound; every failure is a CatalogError and comes within
 * seconds, or within a minute where many megabytes may pass.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg';
import { CatalogError, translateCatalogError } from './catalog-error';

/**
 * @param statementMs longest time, for statements with large texts; without it that of all statements
 * @throws CatalogError
 */
export type RunStatement = <R extends QueryResultRow>(
  sql: string,
  values?: readonly unknown[],
  statementMs?: number
) => Promise<readonly R[]>;

export interface Database {
  readonly run: RunStatement;
  /** Runs a statement on a connection of its own, so that it waits for no other statement. */
  readonly poll: RunStatement;
  /**
   * Runs the work in a transaction. Errors of the work are rethrown.
   * @param statementMs longest time of a statement, with which the database's own limit does not interfere; without it
   * that of all statements
   * @throws CatalogError `unconfirmed` when the work may be stored or not
   */
  transact<T>(work: (run: RunStatement) => Promise<T>, statementMs?: number): Promise<T>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 2000;
const STATEMENT_TIMEOUT_MS = 3000;
/** Time of a statement whose texts or rows may have many megabytes, over a slow network. */
export const LARGE_STATEMENT_MS = 60_000;
const CLOSE_TIMEOUT_MS = 1000;
/** For all statements but polls, which have one more. */
const MAX_CONNECTIONS = 2;

/** Connects at the first statement. The URL configures TLS (`sslmode`, `sslrootcert`). */
export async function openDatabase(url: string): Promise<Database> {
  const pool = await createPool(url, MAX_CONNECTIONS);
  const polls = await createPool(url, 1);
  return {
    run: runIn(pool),
    poll: runIn(polls),
    transact: async (work, statementMs) => {
      const client = await connect(pool);
      try {
        // Changes take turns by a row lock. At a stricter level, which may be the default of the database, those that
        // waited would fail.
        await statement(client, 'BEGIN ISOLATION LEVEL READ COMMITTED');
        if (statementMs !== undefined) await statement(client, `SET LOCAL statement_timeout = ${statementMs}`);
        const outcome = await work((sql, values, ownMs = statementMs) => statement(client, sql, values, ownMs));
        await commit(client);
        client.release();
        return outcome;
      } catch (error) {
        // Closed and not returned to the pool, so that the transaction ends with the connection.
        client.release(true);
        throw error;
      }
    },
    // The timeout covers a database that does not respond.
    close: () =>
      Promise.race([
        Promise.all([pool.end(), polls.end()]).then(() => undefined),
        delay(CLOSE_TIMEOUT_MS, undefined, { ref: false }),
      ]),
  };
}

async function createPool(url: string, max: number): Promise<Pool> {
  const { Pool: PgPool } = await import('pg');
  const pool: Pool = new PgPool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'log-query-endpoints',
  });
  // A connection that ends while it is idle is replaced when it is needed.
  pool.on('error', () => undefined);
  // Without a listener, a connection that ends in a transaction would end the process. Its statements fail, too.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

function runIn(pool: Pool): RunStatement {
  return async <R extends QueryResultRow>(sql: string, values?: readonly unknown[], statementMs?: number) => {
    try {
      return (await pool.query<R>(timed(sql, values, statementMs))).rows;
    } catch (error) {
      throw translateCatalogError(error);
    }
  };
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw translateCatalogError(error);
  }
}

async function commit(client: PoolClient): Promise<void> {
  try {
    await statement(client, 'COMMIT');
  } catch (error) {
    if (!(error instanceof CatalogError) || error.trouble !== 'unreachable') throw error;
    throw new CatalogError(
      'unconfirmed',
      'the database did not confirm the change, which may be stored: look before you repeat it'
    );
  }
}

async function statement<R extends QueryResultRow>(
  client: PoolClient,
  sql: string,
  values?: readonly unknown[],
  timeoutMs?: number
): Promise<readonly R[]> {
  try {
    return (await client.query<R>(timed(sql, values, timeoutMs))).rows;
  } catch (error) {
    throw translateCatalogError(error);
  }
}

/** The types of the package leave the timeout of a statement out. */
function timed(text: string, values?: readonly unknown[], timeoutMs = STATEMENT_TIMEOUT_MS): QueryConfig {
  return { text, values: values as unknown[], ...{ query_timeout: timeoutMs } };
}
