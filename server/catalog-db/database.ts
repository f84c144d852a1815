/** A few connections to the database of the catalog. Values are bound, always; every failure is a CatalogError and comes within seconds. */
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
  /** All or nothing. What the work throws is thrown on. */
  transact<T>(work: (run: RunStatement) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 2000;
const STATEMENT_TIMEOUT_MS = 3000;
const CLOSE_TIMEOUT_MS = 1000;
/** One that looks, and one for what is asked meanwhile. */
const MAX_CONNECTIONS = 2;

/** Connects with the first statement. TLS is what the URL says (`sslmode`, `sslrootcert`). */
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
  // A connection that ends while it is idle is made again when it is needed.
  pool.on('error', () => undefined);

  return {
    run: async (sql, values) => {
      try {
        return (await pool.query(sql, values as unknown[])).rows;
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
        // Closed, not given back: whatever is left of the transaction ends with the connection.
        client.release(true);
        throw error;
      }
    },
    // A database that holds still does not say farewell.
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
