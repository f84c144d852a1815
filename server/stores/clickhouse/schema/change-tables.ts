/** Creates the tables of one source, or changes them to its declaration. */
import { ServiceError } from '#contract/errors';
import type { Source } from '#contract/events/source';
import type { ClickHouseOptions } from '../connection/options';
import { reportSchema, runStatements } from './change-schema';
import { storageTable } from './statements';

const HINT =
  'grant CREATE TABLE and ALTER TABLE on the database to the account of the server (docs/clickhouse.md), or let the ' +
  'operator declare the source in sources.yaml and run "lqe store migrate"';

/**
 * @param isStored false while the declaration may still be refused: then nothing is done that deletes events
 * @throws ServiceError `definition_invalid` for the name of a table with rows of another source;
 * `backend_unavailable`, with `reason: schema` when ClickHouse does not let the account of the server do so
 */
export async function changeTables(options: ClickHouseOptions, source: Source, isStored: boolean): Promise<void> {
  ensureOwnTable(options, source);
  const { steps } = await reportSchema(options, [source]);
  const allowed = steps.filter(({ deletesEvents = false }) => isStored || !deletesEvents);
  try {
    await runStatements(
      options,
      allowed.flatMap(({ statements }) => statements),
      () => undefined
    );
  } catch (error) {
    if (!(error instanceof ServiceError) || error.details.reason !== 'rights') throw error;
    throw new ServiceError(
      'backend_unavailable',
      `ClickHouse does not let the server change the tables of the source "${source.name}".`,
      { reason: 'schema', hint: HINT },
      { cause: error }
    );
  }
}

/** On a cluster, the rows of a source are in a table of this name. */
function ensureOwnTable({ database, cluster }: ClickHouseOptions, { name }: Source): void {
  const ending = storageTable('', { database, cluster });
  if (cluster === null || !name.endsWith(ending)) return;
  throw new ServiceError('definition_invalid', `On a cluster, the name of a source does not end in "${ending}".`, {
    problems: [{ path: ['name'], reason: `it ends in "${ending}"` }],
  });
}
