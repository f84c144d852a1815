/** Looks at the tables, and makes them what they should be when it is told to. */
import type { Source } from '#contract/source';
import { Connection } from './connection';
import { translateError } from './errors';
import type { ClickHouseOptions } from './options';
import { quoteName } from './quoting';
import { inspectSchema, type SchemaReport } from './schema';

/** A replica that is away holds up a statement for the whole cluster no longer than this. */
const CLUSTER_TIMEOUT_SECONDS = 120;
const SILENCE_MS = (CLUSTER_TIMEOUT_SECONDS + 30) * 1000;

/** @throws ServiceError */
export async function reportSchema(options: ClickHouseOptions, sources: readonly Source[]): Promise<SchemaReport> {
  return withConnection(options, (connection) => inspectSchema(connection, options, sources));
}

/** Events of the last hour that are there more than once, by source: what servers could not take away. @throws ServiceError */
export async function countDoubled(
  options: ClickHouseOptions,
  sources: readonly Source[]
): Promise<ReadonlyMap<string, number>> {
  return withConnection(options, async (connection) => {
    const doubled = new Map<string, number>();
    for (const { name } of sources) {
      const [[count] = []] = await connection.rows({
        sql:
          `SELECT count() - uniqExact(id, timestamp) FROM ${quoteName(options.database)}.${quoteName(name)} ` +
          'WHERE timestamp >= now() - toIntervalHour(1) AND timestamp <= now()',
      });
      if (Number(count) > 0) doubled.set(name, Number(count));
    }
    return doubled;
  });
}

/**
 * Runs statements in order. Each one does nothing when it was done before, so that a run that broke off is simply run again.
 * @throws ServiceError of the first that fails
 */
export async function runStatements(
  options: ClickHouseOptions,
  statements: readonly string[],
  onDone: (statement: string) => void
): Promise<void> {
  await withConnection(options, async (connection) => {
    for (const statement of statements) {
      await connection.command(
        statement,
        {},
        options.cluster === null ? {} : { distributed_ddl_task_timeout: String(CLUSTER_TIMEOUT_SECONDS) }
      );
      onDone(statement);
    }
  });
}

async function withConnection<T>(options: ClickHouseOptions, task: (connection: Connection) => Promise<T>): Promise<T> {
  // Our own database may not be there yet.
  const connection = new Connection({ ...options, database: 'default' }, options.writer, SILENCE_MS);
  try {
    return await task(connection);
  } catch (error) {
    throw translateError(error);
  } finally {
    await connection.close();
  }
}
