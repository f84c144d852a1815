/** Finds the result of a request that is sent again with its `Idempotency-Key`. */
import { ServiceError } from '#contract/errors';
import { REQUEST_MARK_MS, type RequestMark } from '#contract/change';
import type { RevisionFacts } from '#contract/revision';

/** @throws ServiceError `idempotency_conflict` when the key was used for another request */
export function findRepeated(
  heads: Iterable<RevisionFacts>,
  mark: RequestMark
): { readonly id: string; readonly revision: number } | null {
  for (const { id, requests } of heads) {
    const known = requests.find(({ key }) => key === mark.key);
    if (!known || Date.parse(mark.time) - Date.parse(known.time) > REQUEST_MARK_MS) continue;
    if (known.body === mark.body) return { id, revision: known.revision };
    throw new ServiceError(
      'idempotency_conflict',
      'This Idempotency-Key was used for another request within the last 24 hours. Use a new key for each request.'
    );
  }
  return null;
}
