/** Runs each compiled query on its own connection, in a read-only transaction. */
import { type DuckDBConnection, type DuckDBPreparedStatement, DuckDBTimestampValue } from '@duckdb/node-api';
import type { BoundValue, CompiledQuery, CompiledStatement } from '#compiler/store';
import type { StoreRows, StoreValue } from '../store';
import type { ConnectionPool } from './connection-pool';
import { translateError } from './store-errors';
import { type ValueReader, valueReader } from './store-values';

/** @throws ServiceError `query_invalid`, `resource_limit`, `query_timeout`, `backend_error` */
export async function runQuery(pool: ConnectionPool, query: CompiledQuery, signal: AbortSignal): Promise<StoreRows> {
  try {
    signal.throwIfAborted();
    return await pool.readOnly((connection) => interruptible(connection, query, signal));
  } catch (error) {
    throw translateError(error, signal.aborted);
  }
}

async function interruptible(
  connection: DuckDBConnection,
  query: CompiledQuery,
  signal: AbortSignal
): Promise<StoreRows> {
  const interrupt = (): void => connection.interrupt();
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    return await fetchRows(connection, query, signal);
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}

/** Runs the statement, and those over older parts while rows are missing. */
async function fetchRows(connection: DuckDBConnection, query: CompiledQuery, signal: AbortSignal): Promise<StoreRows> {
  const readers = query.columns.map(({ type }) => valueReader(type));
  const columns: StoreValue[][] = readers.map(() => []);
  let rowCount = await appendRows(connection, query, query.rowLimit, { readers, columns, signal });
  if (rowCount < query.rowLimit) {
    for (const statement of query.older) {
      rowCount += await appendRows(connection, statement, query.rowLimit - rowCount, { readers, columns, signal });
      if (rowCount >= query.rowLimit) break;
    }
  }
  const truncated = rowCount > query.maxRows;
  if (truncated) columns.forEach((column) => column.pop());
  return { columns, rowCount: truncated ? query.maxRows : rowCount, truncated };
}

interface Target {
  readonly readers: readonly ValueReader[];
  readonly columns: readonly StoreValue[][];
  readonly signal: AbortSignal;
}

/** @returns the number of added rows, at most `wanted` */
async function appendRows(
  connection: DuckDBConnection,
  { sql, values }: CompiledStatement,
  wanted: number,
  { readers, columns, signal }: Target
): Promise<number> {
  const statement = await connection.prepare(sql);
  try {
    values.forEach((value, i) => bind(statement, i + 1, value));
    const result = await statement.stream();
    let rowCount = 0;
    while (rowCount < wanted) {
      signal.throwIfAborted();
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) break;
      const count = Math.min(chunk.rowCount, wanted - rowCount);
      readers.forEach((read, i) => {
        const vector = chunk.getColumnVector(i);
        for (let row = 0; row < count; row++) columns[i]!.push(read(vector.getItem(row)));
      });
      rowCount += count;
    }
    return rowCount;
  } finally {
    statement.destroySync();
  }
}

function bind(statement: DuckDBPreparedStatement, index: number, bound: BoundValue): void {
  if (bound.value === null) return statement.bindNull(index);
  switch (bound.type) {
    case 'STRING':
      return statement.bindVarchar(index, bound.value);
    case 'INT64':
      return statement.bindBigInt(index, bound.value);
    case 'FLOAT64':
      return statement.bindDouble(index, bound.value);
    case 'BOOL':
      return statement.bindBoolean(index, bound.value);
    case 'TIMESTAMP':
      return statement.bindTimestamp(index, new DuckDBTimestampValue(bound.value));
  }
}
