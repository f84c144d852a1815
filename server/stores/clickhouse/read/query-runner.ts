/** Runs compiled queries as the reading user, within limits that ClickHouse enforces. */
import type { ClickHouseSettings } from '@clickhouse/client';
import {
  type BoundValue,
  CLICKHOUSE_SETTINGS,
  type CompiledQuery,
  hasManyConditions,
  MANY_CONDITIONS_SETTINGS,
  VOLATILE_SETTINGS,
} from '#compiler/store';
import type { StoreRows } from '../../store';
import type { StoreValue } from '../../store-value';
import { type Connection, newQueryId, type Parameters } from '../connection/connection';
import { translateError } from '../connection/errors';
import { quoteName, quoteText } from '../connection/quoting';
import { valueReader } from './store-values';

export interface QueryLimits {
  readonly memoryLimitMb: number;
  /** Fallback: callers' deadlines are shorter, and cancel a query by its id. */
  readonly maxSeconds: number;
}

/** Each attempt to end a query of a server that does not answer takes a connection of the writer. */
const KILL_MS = 5000;

const MAX_RESULT_BYTES = 1024 * 1024 * 1024;

export interface QueryConnections {
  readonly reader: Connection;
  /** Has the right to kill queries of the reader. */
  readonly writer: Connection;
  readonly cluster: string | null;
}

/** @throws ServiceError `query_invalid`, `resource_limit`, `query_timeout`, `backend_error`, `backend_unavailable` */
export async function runQuery(
  { reader, writer, cluster }: QueryConnections,
  limits: QueryLimits,
  query: CompiledQuery,
  signal: AbortSignal
): Promise<StoreRows> {
  const queryId = newQueryId();
  // The signal closes the connection, too, but a proxy in between may not tell the server.
  const kill = (): void => void killQuery(writer, cluster, queryId);
  signal.addEventListener('abort', kill, { once: true });
  try {
    signal.throwIfAborted();
    return await fetchRows(reader, limits, query, queryId, signal);
  } catch (error) {
    throw translateError(error, signal.aborted);
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

async function fetchRows(
  reader: Connection,
  { memoryLimitMb, maxSeconds }: QueryLimits,
  query: CompiledQuery,
  queryId: string,
  signal: AbortSignal
): Promise<StoreRows> {
  const readers = query.columns.map((column) => valueReader(column.type));
  const columns = query.columns.map((): StoreValue[] => []);
  let rowCount = 0;
  const settings: ClickHouseSettings = {
    ...CLICKHOUSE_SETTINGS,
    ...(query.isVolatile && VOLATILE_SETTINGS),
    ...(hasManyConditions(query.sql) && MANY_CONDITIONS_SETTINGS),
    // Two threads read the rows of a written table in an order of their own.
    ...(query.reads.length === 0 && { max_threads: 1 }),
    max_execution_time: maxSeconds,
    timeout_before_checking_execution_speed: 0,
    max_memory_usage: String(memoryLimitMb * 1024 * 1024),
    max_result_rows: String(query.rowLimit),
    max_result_bytes: String(MAX_RESULT_BYTES),
    result_overflow_mode: 'throw',
    cancel_http_readonly_queries_on_client_close: 1,
    readonly: '1',
  };
  const parameters = bind(query.values);
  await reader.stream({ sql: query.sql, parameters, settings, signal, queryId }, (rows) => {
    for (const row of rows) {
      if (rowCount === query.rowLimit) return false;
      readers.forEach((read, i) => columns[i]!.push(read(row[i])));
      rowCount++;
    }
    return true;
  });
  const truncated = rowCount > query.maxRows;
  if (truncated) columns.forEach((column) => column.pop());
  return { columns, rowCount: truncated ? query.maxRows : rowCount, truncated };
}

/** Names the values `p1`, `p2`, ... in the order of the statement. */
function bind(values: readonly BoundValue[]): Parameters {
  return Object.fromEntries(values.map((bound, index) => [`p${index + 1}`, boundValue(bound)]));
}

function boundValue({ value }: BoundValue): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** Kills the query on every node of a cluster: a load balancer may send this statement to another node. */
async function killQuery(writer: Connection, cluster: string | null, queryId: string): Promise<void> {
  const everywhere = cluster === null ? '' : `ON CLUSTER ${quoteName(cluster)} `;
  try {
    const signal = AbortSignal.timeout(KILL_MS);
    await writer.command(`KILL QUERY ${everywhere}WHERE query_id = ${quoteText(queryId)} ASYNC`, { signal });
  } catch {
    // The query then ends by its own limits.
  }
}
