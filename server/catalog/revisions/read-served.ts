/** What a server starts with: the newest revision of each definition of a repository. */
import { type DefinitionProblem, DefinitionsError } from '../definitions/definition-problem';
import type { RevisionRepository } from './repository';
import type { StoredRevision } from './revision-text';

/** Definitions of a repository that are served. */
export interface Served<Definition> {
  readonly repository: RevisionRepository;
  readonly heads: readonly StoredRevision[];
  readonly cursor: string;
  readonly definitions: readonly Definition[];
}

/** A revision that is not a deletion. */
export interface ServableRevision extends StoredRevision {
  readonly text: string;
}

/**
 * @param parse reads the text of a revision; throws DefinitionsError when it cannot be served
 * @throws DefinitionsError with every revision that cannot be served; CatalogError
 */
export async function readServed<Definition>(
  repository: RevisionRepository,
  parse: (head: ServableRevision, place: string) => Definition
): Promise<Served<Definition>> {
  const { heads, unreadable, cursor } = await repository.changesSince(null);
  const problems: DefinitionProblem[] = unreadable.flatMap(({ error }) => error.problems);
  const definitions: Definition[] = [];
  for (const head of heads.filter(isServable)) {
    try {
      definitions.push(parse(head, repository.placeOf(head)));
    } catch (error) {
      if (!(error instanceof DefinitionsError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new DefinitionsError(problems);
  return { repository, heads, cursor, definitions };
}

function isServable(head: StoredRevision): head is ServableRevision {
  return head.text !== null;
}
