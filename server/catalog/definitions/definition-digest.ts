/** Digest that identifies a definition: two texts with the same id and revision number are different definitions. */
import { hash } from 'node:crypto';
import type { SavedQuery } from '#contract/queries/saved-query';

const known = new WeakMap<SavedQuery, string>();

/** @returns 22 characters, equal for equal definitions in every process */
export function definitionDigest(definition: SavedQuery): string {
  let digest = known.get(definition);
  if (digest === undefined) {
    digest = hash('sha256', JSON.stringify(definition), 'base64url').slice(0, 22);
    known.set(definition, digest);
  }
  return digest;
}
