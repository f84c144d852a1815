/** The parts that all changes of sources share: author and note before, the answer after. */
import type { DefinitionChange } from '../../catalog/revisions/next-revision';
import type { StoredRevision } from '../../catalog/revisions/revision-text';
import type { ChangedSource } from '../../catalog/sources/managed-sources';
import type { KeyedCall } from '../router';
import { sendJson } from '../response/send-body';
import { definitionChange } from './definition-change';

/** @param requested content of the request; null when it may not be repeated by `Idempotency-Key` */
export function sourceChange(
  call: KeyedCall,
  message: string | undefined,
  requested: unknown = null
): DefinitionChange {
  return definitionChange(call, 'Sources are changed', message, requested);
}

/** Answers with the source in its new revision: 201 for a new one, else 200. */
export async function sendChangedSource(
  { req, res }: KeyedCall,
  { revision, source, outcome }: ChangedSource
): Promise<void> {
  res.setHeader('ETag', `"${revision.revision}"`);
  res.setHeader('Cache-Control', 'no-store');
  const isNew = outcome === 'created';
  if (isNew) res.setHeader('Location', `/api/sources/${revision.name}`);
  await sendJson(req, res, { result: { ...source, ...describeRevision(revision) } }, isNew ? 201 : 200);
}

/** What the server knows of a source of the API beside its definition. */
export function describeRevision({
  revision,
  created_at,
  time,
  by,
  message,
  changed,
}: Omit<StoredRevision, 'text'>): object {
  return { origin: 'api', revision, created_at, updated_at: time, change: { by, message, changed } };
}
