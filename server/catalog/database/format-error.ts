/** Formats a catalog failure as one sentence for the log, without the database's own text. */
import { ServiceError } from '#contract/errors';
import { DefinitionsError } from '../definitions/definition-problem';
import { CatalogError } from './catalog-error';

export function formatCatalogError(error: unknown): string {
  if (error instanceof ServiceError) {
    const { hint } = error.details;
    return hint ? `${error.message} (${hint})` : error.message;
  }
  return error instanceof CatalogError || error instanceof DefinitionsError ? error.message : 'unexpected failure';
}
