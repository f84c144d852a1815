/**
 * Chooses the definitions that a server starts with: the current ones, or the newest earlier ones that it can serve.
 */
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
  /** Current revision that this server cannot serve; null: the current revision was opened. */
  readonly refusedRevision: number | null;
  /** Mark of the current revision. */
  readonly pushMark: string;
}

/** Maximum earlier revisions that are tried: each try may start an engine. */
const MAX_EARLIER = 10;

/**
 * @param open opens everything that serves a set, or leaves nothing open
 * @throws the failure of the current set, when no earlier one can be served either; CatalogError
 */
export async function openServableSet<T>(
  database: Database,
  logger: CatalogLogger,
  open: (set: DefinitionSet) => Promise<T>
): Promise<ServableSet<T>> {
  const { definitions: inForce, pushMark } = await readRevisions(database);
  const set = await readStoredSet(database, inForce);
  let failure: unknown;
  try {
    return { opened: await open(set), revision: inForce, refusedRevision: null, pushMark };
  } catch (error) {
    if (!isOfTheSet(error)) throw error;
    failure = error;
  }
  logger.error(
    { revision: inForce, reason: formatCatalogError(failure) },
    'The definitions in force cannot be served, so earlier revisions are tried.'
  );
  // If the store cannot be opened with these sources, another revision with the same sources fails, too.
  const failedSources = new Set(failure instanceof DefinitionsError ? [] : [set.sources.text]);
  for (const revision of await readEarlierRevisions(database, inForce, MAX_EARLIER)) {
    const earlier = await readStoredSet(database, revision);
    if (failedSources.has(earlier.sources.text)) continue;
    try {
      const opened = await open(earlier);
      logger.error({ revision, refused: inForce }, 'this server starts with definitions that are no longer in force');
      return { opened, revision, refusedRevision: inForce, pushMark };
    } catch (error) {
      if (!isOfTheSet(error)) throw error;
      if (!(error instanceof DefinitionsError)) failedSources.add(earlier.sources.text);
      logger.error({ revision, reason: formatCatalogError(error) }, 'An earlier revision cannot be served either.');
    }
  }
  throw failure;
}

/**
 * True when another set may succeed: the texts are invalid for this version, or the store lacks what the sources need,
 * or stores fields with other types.
 */
function isOfTheSet(error: unknown): boolean {
  if (error instanceof DefinitionsError) return true;
  return error instanceof ServiceError && (error.code === 'definition_invalid' || error.details['reason'] === 'schema');
}
