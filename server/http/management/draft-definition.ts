/** Definitions that a request checks or tries, and that are not stored. */
import { isRecord } from '#contract/records';
import type { SavedQuery } from '#contract/queries/saved-query';
import { checkDefinition } from '../../catalog/definitions/check-definition';
import type { LoadedDefinition } from '../../catalog/definitions/load-definitions';
import { readDefinition, withoutAssigned } from '../../catalog/saved-queries/definition-text';
import { ensureWellFormed } from '../parsing/decode-text';
import { DRAFT_ID } from './definition-forms';
import { definitionInvalid } from './definition-input';

/**
 * Reads a definition as JSON, as POST and PUT take it: without an id, or as GET returned it.
 * @throws ServiceError `definition_invalid`
 */
export function readDraft(value: unknown): SavedQuery {
  const checked = checkDefinition(isRecord(value) ? { id: DRAFT_ID, ...withoutAssigned(value) } : value);
  if (checked.definition === null) throw definitionInvalid(checked.problems);
  ensureWellFormed(checked.definition.query, 'The query');
  return { ...checked.definition, id: DRAFT_ID };
}

/** @throws ServiceError `definition_invalid`, with the position of each problem in the text */
export function readDraftText(yaml: string): LoadedDefinition {
  const assigned = { id: DRAFT_ID, revision: 1, created_at: undefined, updated_at: undefined };
  return readDefinition(ensureWellFormed(yaml, 'The definition'), assigned);
}
