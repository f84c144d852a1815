/**
 * Connections to the catalog database. Values are always bound; every failure is a CatalogError and comes within
 * seconds.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { translateCatalogError } from './catalog-error';

/** @throws CatalogError */
export type RunStatement = <R extends QueryResultRow>(
  sql: string,
  values?: readonly unknown[]
) => Promise<readonly R[]>;

export interface Database {
  readonly run: RunStatement;
  /** Runs the work in a transaction. Errors of the work are rethrown. */
  transact<T>(work: (run: RunStatement) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 2000;
const STATEMENT_TIMEOUT_MS = 3000;
const CLOSE_TIMEOUT_MS = 1000;
/** One for the poll, and one for other statements. */
const MAX_CONNECTIONS = 2;

/** Connects at the first statement. The URL configures TLS (`sslmode`, `sslrootcert`). */
export async function openDatabase(url: string): Promise<Database> {
  const { Pool: PgPool } = await import('pg');
  const pool: Pool = new PgPool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'log-query-endpoints',
  });
  // A connection that ends while it is idle is replaced when it is needed.
  pool.on('error', () => undefined);

  return {
    run: async <R extends QueryResultRow>(sql: string, values?: readonly unknown[]) => {
      try {
        return (await pool.query<R>(sql, values as unknown[])).rows;
      } catch (error) {
        throw translateCatalogError(error);
      }
    },
    transact: async (work) => {
      const client = await connect(pool);
      try {
        await statement(client, 'BEGIN');
        const outcome = await work((sql, values) => statement(client, sql, values));
        await statement(client, 'COMMIT');
        client.release();
        return outcome;
      } catch (error) {
        // Closed and not returned to the pool, so that the transaction ends with the connection.
        client.release(true);
        throw error;
      }
    },
    // The timeout covers a database that does not respond.
    close: () => Promise.race([pool.end(), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]),
  };
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw translateCatalogError(error);
  }
}

async function statement<R extends QueryResultRow>(
  client: PoolClient,
  sql: string,
  values?: readonly unknown[]
): Promise<readonly R[]> {
  try {
    return (await client.query<R>(sql, values as unknown[])).rows;
  } catch (error) {
    throw translateCatalogError(error);
  }
}
