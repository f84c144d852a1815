/** Runs each compiled query on its own connection, in a read-only transaction. */
import type { DuckDBConnection, DuckDBDataChunk, DuckDBResult } from '@duckdb/node-api';
import type { CompiledQuery, CompiledStatement } from '#compiler/store';
import type { StoreRows } from '../../store';
import type { StoreValue } from '../../store-value';
import { bindValues } from '../statements/bind-values';
import type { ConnectionPool } from './connection-pool';
import type { ReadThreads } from '../file/read-threads';
import { interruptible } from '../statements/interruptible';
import { translateError } from '../statements/store-errors';
import { type ValueReader, valueReader } from '../statements/store-values';

/** Statements of one run, in order: those after the first run while rows are missing. */
export interface Run {
  readonly statements: Iterable<CompiledStatement>;
  readonly signal: AbortSignal;
  /** Called when the transaction has its snapshot. @throws to end the run */
  readonly onPrepared?: () => void;
}

/** What queries run on. */
export interface Readers {
  readonly pool: ConnectionPool;
  readonly threads: ReadThreads;
}

/** @throws ServiceError `query_invalid`, `resource_limit`, `query_timeout`, `backend_error` */
export async function runQuery(readers: Readers, query: CompiledQuery, signal: AbortSignal): Promise<StoreRows> {
  try {
    return await runStatements(readers, query, { statements: allOf(query), signal });
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
  { pool, threads }: Readers,
  query: Pick<CompiledQuery, 'columns' | 'rowLimit' | 'maxRows'>,
  run: Run
): Promise<StoreRows> {
  const { signal } = run;
  signal.throwIfAborted();
  return pool.readOnly((connection) =>
    interruptible(connection, signal, () => fetchRows(connection, query, { ...run, threads }))
  );
}

async function fetchRows(
  connection: DuckDBConnection,
  query: Pick<CompiledQuery, 'columns' | 'rowLimit' | 'maxRows'>,
  { statements, threads, ...run }: Run & { readonly threads: ReadThreads }
): Promise<StoreRows> {
  const readers = query.columns.map(({ type }) => valueReader(type));
  const columns: StoreValue[][] = readers.map(() => []);
  let rowCount = 0;
  for (const statement of statements) {
    const wanted = query.rowLimit - rowCount;
    rowCount += await threads.run(statement.reads, () =>
      appendRows(connection, statement, wanted, { readers, columns, ...run })
    );
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

/**
 * Up to this number of rows, which is a vector of DuckDB, a result is taken at once: each chunk of a stream costs
 * another hop to the driver's threads, and the last of them is empty.
 */
const MAX_ROWS_AT_ONCE = 2048;

/** @returns the number of added rows, at most `wanted` */
async function appendRows(
  connection: DuckDBConnection,
  { sql, values }: CompiledStatement,
  wanted: number,
  target: Target
): Promise<number> {
  const statement = await connection.prepare(sql);
  try {
    target.onPrepared?.();
    bindValues(statement, values);
    if (wanted > MAX_ROWS_AT_ONCE) return await appendStream(await statement.stream(), wanted, target);
    const result = await statement.run();
    target.signal.throwIfAborted();
    let rowCount = 0;
    for (let i = 0; i < result.chunkCount && rowCount < wanted; i += 1)
      rowCount += appendChunk(result.getChunk(i), wanted - rowCount, target);
    return rowCount;
  } finally {
    statement.destroySync();
  }
}

async function appendStream(result: DuckDBResult, wanted: number, target: Target): Promise<number> {
  let rowCount = 0;
  while (rowCount < wanted) {
    target.signal.throwIfAborted();
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    rowCount += appendChunk(chunk, wanted - rowCount, target);
  }
  return rowCount;
}

/** @returns the number of added rows, at most `wanted` */
function appendChunk(chunk: DuckDBDataChunk, wanted: number, { readers, columns }: Target): number {
  const count = Math.min(chunk.rowCount, wanted);
  readers.forEach((read, i) => {
    const vector = chunk.getColumnVector(i);
    const column = columns[i]!;
    for (let row = 0; row < count; row++) column.push(read(vector.getItem(row)));
  });
  return count;
}
