/** Runs each compiled query on its own connection, in a read-only transaction. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { CompiledQuery, CompiledStatement } from '#compiler/store';
import type { StoreRows, StoreValue } from '../store';
import { bindValues } from './bind-values';
import type { ConnectionPool } from './connection-pool';
import { translateError } from './store-errors';
import { type ValueReader, valueReader } from './store-values';

/** Statements of one run, in order: those after the first run while rows are missing. */
export interface Run {
  readonly statements: Iterable<CompiledStatement>;
  readonly signal: AbortSignal;
  /** Called when the transaction has its snapshot. @throws to end the run */
  readonly onPrepared?: () => void;
}

/** @throws ServiceError `query_invalid`, `resource_limit`, `query_timeout`, `backend_error` */
export async function runQuery(pool: ConnectionPool, query: CompiledQuery, signal: AbortSignal): Promise<StoreRows> {
  try {
    return await runStatements(pool, query, { statements: allOf(query), signal });
  } catch (error) {
    throw translateError(error, signal.aborted);
  }
}

function* allOf(query: CompiledQuery): Generator<CompiledStatement> {
  yield query;
  yield* query.older;
}

/** Rows of a query by other statements than its own. @throws errors of the database */
export async function runStatements(
  pool: ConnectionPool,
  query: Pick<CompiledQuery, 'columns' | 'rowLimit' | 'maxRows'>,
  run: Run
): Promise<StoreRows> {
  const { signal } = run;
  signal.throwIfAborted();
  return pool.readOnly(async (connection) => {
    const interrupt = (): void => connection.interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    try {
      return await fetchRows(connection, query, run);
    } finally {
      signal.removeEventListener('abort', interrupt);
    }
  });
}

async function fetchRows(
  connection: DuckDBConnection,
  query: Pick<CompiledQuery, 'columns' | 'rowLimit' | 'maxRows'>,
  { statements, ...run }: Run
): Promise<StoreRows> {
  const readers = query.columns.map(({ type }) => valueReader(type));
  const columns: StoreValue[][] = readers.map(() => []);
  let rowCount = 0;
  for (const statement of statements) {
    rowCount += await appendRows(connection, statement, query.rowLimit - rowCount, { readers, columns, ...run });
    if (rowCount >= query.rowLimit) break;
  }
  const truncated = rowCount > query.maxRows;
  if (truncated) columns.forEach((column) => column.pop());
  return { columns, rowCount: truncated ? query.maxRows : rowCount, truncated };
}

interface Target extends Omit<Run, 'statements'> {
  readonly readers: readonly ValueReader[];
  readonly columns: readonly StoreValue[][];
}

/** @returns the number of added rows, at most `wanted` */
async function appendRows(
  connection: DuckDBConnection,
  { sql, values }: CompiledStatement,
  wanted: number,
  { readers, columns, signal, onPrepared }: Target
): Promise<number> {
  const statement = await connection.prepare(sql);
  try {
    onPrepared?.();
    bindValues(statement, values);
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
