/** Inspects the tables, and runs the statements that create or change them. */
import type { Source } from '#contract/events/source';
import { Connection } from '../connection/connection';
import { translateError } from '../connection/errors';
import type { ClickHouseOptions } from '../connection/options';
import { quoteName } from '../connection/quoting';
import { inspectSchema, type SchemaReport } from './schema';
import { storedTenant } from './stored-tenant';

/** Maximum time that an unavailable replica may delay a statement on the whole cluster. */
const CLUSTER_TIMEOUT_SECONDS = 120;
const SILENCE_MS = (CLUSTER_TIMEOUT_SECONDS + 30) * 1000;

/** @throws ServiceError */
export async function reportSchema(options: ClickHouseOptions, sources: readonly Source[]): Promise<SchemaReport> {
  return withConnection(options, (connection) => inspectSchema(connection, options, sources));
}

/**
 * Number of surplus copies among the events of the last hour, by source: those that servers could not delete. Tenants
 * may have the same ids.
 * @throws ServiceError
 */
export async function countDoubled(
  options: ClickHouseOptions,
  sources: readonly Source[],
  { columns }: Pick<SchemaReport, 'columns'>
): Promise<ReadonlyMap<string, number>> {
  return withConnection(options, async (connection) => {
    const doubled = new Map<string, number>();
    for (const source of sources) {
      const { name } = source;
      const tenant = storedTenant(source, new Set(columns.get(name)?.keys()));
      const [[count] = []] = await connection.rows({
        sql:
          `SELECT count() - uniqExact(id, timestamp, ifNull(${tenant}, '')) FROM ${quoteName(options.database)}.${quoteName(name)} ` +
          'WHERE timestamp >= now() - toIntervalHour(1) AND timestamp <= now()',
      });
      if (Number(count) > 0) doubled.set(name, Number(count));
    }
    return doubled;
  });
}

/**
 * Runs statements in order. Each statement is idempotent, so an interrupted run can simply be repeated.
 * @throws ServiceError of the first that fails
 */
export async function runStatements(
  options: ClickHouseOptions,
  statements: readonly string[],
  onDone: (statement: string) => void
): Promise<void> {
  await withConnection(options, async (connection) => {
    for (const statement of statements) {
      const settings =
        options.cluster === null ? {} : { distributed_ddl_task_timeout: String(CLUSTER_TIMEOUT_SECONDS) };
      await connection.command(statement, { settings });
      onDone(statement);
    }
  });
}

async function withConnection<T>(options: ClickHouseOptions, task: (connection: Connection) => Promise<T>): Promise<T> {
  // The service's database may not exist yet.
  const connection = new Connection({ ...options, database: 'default' }, options.writer, SILENCE_MS);
  try {
    return await task(connection);
  } catch (error) {
    throw translateError(error);
  } finally {
    await connection.close();
  }
}
