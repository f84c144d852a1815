/** The definitions that a server starts with: those in force, or the newest earlier ones that it can serve. */
import { ServiceError } from '#contract/errors';
import { DefinitionsError } from '../definitions/definition-problem';
import type { DefinitionSet } from '../definitions/definition-set';
import type { CatalogLogger } from './catalog-watch';
import type { Database } from './database';
import { readEarlierRevisions, readRevisions, readStoredSet } from './stored-definitions';
import { formatCatalogError } from './format-error';

export interface ServableSet<T> {
  readonly opened: T;
  readonly revision: number;
  /** In force in the catalog, and not to be served here; null: that one was opened. */
  readonly refusedRevision: number | null;
}

/** Each try may start an engine. */
const MAX_EARLIER = 10;

/**
 * @param open opens everything that serves a set, or leaves nothing open
 * @throws what `open` says of the set in force, when no other will do either; CatalogError
 */
export async function openServableSet<T>(
  database: Database,
  logger: CatalogLogger,
  open: (set: DefinitionSet) => Promise<T>
): Promise<ServableSet<T>> {
  const { definitions: inForce } = await readRevisions(database);
  const set = await readStoredSet(database, inForce);
  let failure: unknown;
  try {
    return { opened: await open(set), revision: inForce, refusedRevision: null };
  } catch (error) {
    if (!isOfTheSet(error)) throw error;
    failure = error;
  }
  logger.error(
    { revision: inForce, reason: formatCatalogError(failure) },
    'the definitions in force cannot be served: an earlier revision is looked for'
  );
  // A store that cannot be opened with these sources cannot be with the same ones of another revision.
  const hopelessSources = new Set(failure instanceof DefinitionsError ? [] : [set.sources.text]);
  for (const revision of await readEarlierRevisions(database, inForce, MAX_EARLIER)) {
    const earlier = await readStoredSet(database, revision);
    if (hopelessSources.has(earlier.sources.text)) continue;
    try {
      const opened = await open(earlier);
      logger.error({ revision, refused: inForce }, 'this server starts with definitions that are no longer in force');
      return { opened, revision, refusedRevision: inForce };
    } catch (error) {
      if (!isOfTheSet(error)) throw error;
      if (!(error instanceof DefinitionsError)) hopelessSources.add(earlier.sources.text);
      logger.error({ revision, reason: formatCatalogError(error) }, 'nor can these earlier definitions be served');
    }
  }
  throw failure;
}

/** Another set may do better: the texts are wrong for this version, or the store lacks what the sources need. */
function isOfTheSet(error: unknown): boolean {
  return error instanceof DefinitionsError || (error instanceof ServiceError && error.details['reason'] === 'schema');
}
