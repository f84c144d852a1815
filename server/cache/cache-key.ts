/**
 * Cache key of a result: a digest of the whole engine request, so that nothing that can change the bytes is left out.
 */
import { hash } from 'node:crypto';
import type { QueryRequest } from '#contract/queries/query';

/** A query request without "now", which is the time of the run. */
export type QueryKeyInput = Omit<QueryRequest, 'nowMicros'>;

/**
 * Computes the key from the structure and not by joining texts: two requests share a key only when all their parts are
 * equal. A field that is added to `QueryRequest` is in the key without a change here. The rights of a token reach the
 * engine as parameters, row cap and redaction, so tokens with the same rights share entries and others cannot.
 * @returns 43 characters
 */
export function cacheKey(queryRequest: QueryKeyInput): string {
  let key = keys.get(queryRequest);
  if (key === undefined) {
    key = keyOf(queryRequest);
    keys.set(queryRequest, key);
  }
  return key;
}

/** Keys by request object: a repeated request is the same object, since the request cache keeps it. */
const keys = new WeakMap<QueryKeyInput, string>();

function keyOf({ parameters, ...rest }: QueryKeyInput): string {
  const facts = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1));
  const structure = JSON.stringify([facts, Object.entries(parameters)]);
  return hash('sha256', structure, 'base64url');
}
