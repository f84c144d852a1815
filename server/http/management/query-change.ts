/** The parts that all changes of saved queries share: author and note before, the answer after. */
import type { DefinitionChange } from '../../catalog/revisions/next-revision';
import type { ChangedQuery } from '../../catalog/saved-queries/saved-queries';
import type { KeyedCall } from '../router';
import { sendJson } from '../response/send-body';
import { definitionChange } from './definition-change';

/** @param requested content of the request; null when it may not be repeated by `Idempotency-Key` */
export function queryChange(call: KeyedCall, message: string | undefined, requested: unknown = null): DefinitionChange {
  return definitionChange(call, 'Saved queries are changed', message, requested);
}

/** Answers with the definition in its new revision: 201 for a new saved query, else 200. */
export async function sendChanged(
  { req, res }: KeyedCall,
  { revision, definition, outcome }: ChangedQuery
): Promise<void> {
  res.setHeader('ETag', `"${revision.revision}"`);
  res.setHeader('Cache-Control', 'no-store');
  const isNew = outcome === 'created';
  if (isNew) res.setHeader('Location', `/api/endpoints/${revision.id}`);
  const { message, by, changed } = revision;
  const result = { ...definition, origin: 'api', change: { by, message, changed } };
  await sendJson(req, res, { result }, isNew ? 201 : 200);
}
