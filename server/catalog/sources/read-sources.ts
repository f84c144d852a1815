/** Sources of the API, read at a start. */
import { ServiceError } from '#contract/errors';
import { DefinitionsError } from '../definitions/definition-problem';
import type { ApiSource } from '../definitions/sources';
import { readServed, type Served } from '../revisions/read-served';
import type { RevisionRepository } from '../revisions/repository';
import { readSource } from './source-text';

export type ServedSources = Served<ApiSource>;

/** @throws DefinitionsError with every revision that cannot be served; CatalogError */
export function readSources(repository: RevisionRepository): Promise<ServedSources> {
  return readServed(repository, ({ text, id }, file) => {
    try {
      return readSource(text, id);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { line, column } = error.details.position ?? { line: 1, column: 1 };
      throw new DefinitionsError([{ file, line, column, reason: error.message }]);
    }
  });
}
