/** Fields of a saved query that its text does not decide. */
import { randomUUID } from 'node:crypto';
import type { RevisionFacts } from '#contract/changes/revision';
import { UUID_PATTERN } from '#contract/queries/saved-query';
import { sentField } from '../revisions/yaml-text';
import type { AssignedFields } from './definition-text';

/** @param idOrName id or name in the path of a request that creates the saved query */
export function idFor(text: string, idOrName: string | undefined): string {
  const inPath = idOrName !== undefined && UUID_PATTERN.test(idOrName) ? idOrName : undefined;
  return (inPath ?? sentField(text, 'id') ?? randomUUID()).toLowerCase();
}

/** Fields of the definition that the revision decides. */
export function assignedTo({
  id,
  revision,
  created_at,
  time,
}: Pick<RevisionFacts, 'id' | 'revision' | 'created_at' | 'time'>): AssignedFields {
  return { id, revision, created_at, updated_at: time };
}
