/** Saved queries of the API, read at a start. */
import { DefinitionsError } from '../definitions/definition-problem';
import { type OtherDefinition, parseDefinition } from '../definitions/load-definitions';
import { readServed, type Served } from '../revisions/read-served';
import type { RevisionRepository } from '../revisions/repository';
import { assignedTo } from './assigned-fields';

export type ServedQueries = Served<OtherDefinition>;

/** @throws DefinitionsError with every revision that cannot be served; CatalogError */
export function readSavedQueries(repository: RevisionRepository): Promise<ServedQueries> {
  return readServed(repository, (head, place) => {
    const parsed = parseDefinition({ file: place, text: head.text }, assignedTo(head), true);
    if (!('definition' in parsed)) throw new DefinitionsError(parsed);
    return { definition: parsed.definition, place };
  });
}
