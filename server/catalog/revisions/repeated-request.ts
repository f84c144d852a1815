/** Finds the result of a request that is sent again with its `Idempotency-Key`. */
import { REQUEST_MARK_MS, type RequestMark } from '#contract/changes/change';
import type { RevisionFacts } from '#contract/changes/revision';
import { ensureSameRequest } from '../audit/same-request';

/** @throws ServiceError `idempotency_conflict` when the key was used for another request */
export function findRepeated(
  heads: Iterable<RevisionFacts>,
  mark: RequestMark
): { readonly id: string; readonly revision: number } | null {
  for (const { id, requests } of heads) {
    const known = requests.find(({ key }) => key === mark.key);
    if (!known || Date.parse(mark.time) - Date.parse(known.time) > REQUEST_MARK_MS) continue;
    ensureSameRequest(mark, known);
    return { id, revision: known.revision };
  }
  return null;
}
