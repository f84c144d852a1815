/** The key of a result: a digest of everything the engine is asked, so that nothing that can change the bytes is left out. */
import { hash } from 'node:crypto';
import type { QueryRequest } from '#contract/query';

/** A request before it runs: "now" is the time of the run, not of the question. */
export type QueryKeyInput = Omit<QueryRequest, 'nowMicros'>;

/**
 * Built from the structure, never by joining texts: two questions have one key only when each of their parts is the same. A part that is
 * added to `QueryRequest` is in the key without a change here. What a token may see reaches the engine as parameters, row cap and
 * redaction, so tokens with the same view share entries and others cannot.
 * @returns 43 characters
 */
export function cacheKey(question: QueryKeyInput): string {
  let key = keys.get(question);
  if (key === undefined) {
    key = keyOf(question);
    keys.set(question, key);
  }
  return key;
}

/** Questions that are asked again are the same values. */
const keys = new WeakMap<QueryKeyInput, string>();

function keyOf({ parameters, ...rest }: QueryKeyInput): string {
  const facts = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1));
  const structure = JSON.stringify([facts, Object.entries(parameters)]);
  return hash('sha256', structure, 'base64url');
}
