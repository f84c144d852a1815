/** Why something of the catalog failed, for the log: words of our own only. */
import { ServiceError } from '#contract/errors';
import { DefinitionsError } from '../definitions/definition-problem';
import { CatalogError } from './catalog-error';

export function wordsOf(error: unknown): string {
  if (error instanceof ServiceError) {
    const { hint } = error.details;
    return hint ? `${error.message} (${hint})` : error.message;
  }
  return error instanceof CatalogError || error instanceof DefinitionsError ? error.message : 'unexpected failure';
}
