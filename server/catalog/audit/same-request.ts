/** A request that is sent again with its `Idempotency-Key` must ask for the same. */
import type { RequestMark } from '#contract/changes/change';
import { ServiceError } from '#contract/errors';

/** @throws ServiceError `idempotency_conflict` */
export function ensureSameRequest(mark: Pick<RequestMark, 'body'>, known: Pick<RequestMark, 'body'>): void {
  if (mark.body === known.body) return;
  throw new ServiceError(
    'idempotency_conflict',
    'This Idempotency-Key was used for another request within the last 24 hours. Use a new key for each request.'
  );
}
