/** YAML texts of saved queries, read and written with the fields that the server assigns. */
import { ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/queries/saved-query';
import { type LoadedDefinition, parseDefinition } from '../definitions/load-definitions';
import { boundedParse, ensureWellFormed, formatText, invalidText, patchText } from '../revisions/yaml-text';

/** Fields of responses that the server assigns: a definition that was read can be sent back as it is. */
const ASSIGNED_FIELDS = [
  'revision',
  'created_at',
  'updated_at',
  'origin',
  'fields',
  'tables',
  'misfits',
  'problem',
] as const;

export type AssignedFields = Pick<SavedQuery, 'id' | 'revision' | 'created_at' | 'updated_at'>;

/** @param value a definition as JSON, not checked */
export function formatDefinition(value: Readonly<Record<string, unknown>>): string {
  return formatText(withoutAssigned(value));
}

/** @throws ServiceError `definition_invalid` */
export function patchDefinition(text: string, patch: Readonly<Record<string, unknown>>): string {
  return patchText(text, withoutAssigned(patch));
}

export function withoutAssigned(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const assigned: readonly string[] = ASSIGNED_FIELDS;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !assigned.includes(key)));
}

/**
 * Parses and checks a text. The query is not compiled.
 *
 * @param isStored the text was checked when it was stored, by this version or an earlier one
 * @throws ServiceError `definition_invalid` with every problem and its position in the text
 */
export function readDefinition(text: string, assigned: AssignedFields, isStored = false): LoadedDefinition {
  const parsed = boundedParse(() => parseDefinition({ file: 'definition', text }, assigned, isStored));
  if (!('definition' in parsed)) throw invalidText(parsed);
  ensureWellFormed(parsed.definition);
  return parsed;
}

/** Adds the position in the whole text to an error of the compiler, whose position is in the query. */
export function withFilePosition(error: unknown, loaded: Pick<LoadedDefinition, 'positionInQuery'>): unknown {
  if (!(error instanceof ServiceError) || !error.details.position) return error;
  const text_position = loaded.positionInQuery(error.details.position);
  return new ServiceError(error.code, error.message, { ...error.details, text_position }, { cause: error });
}
