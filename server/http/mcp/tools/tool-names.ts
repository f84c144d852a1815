/** Names of tools. Clients accept 64 letters, digits, `_` and `-`; names of saved queries have more. */
import { hash } from 'node:crypto';
import type { SavedQuery } from '#contract/queries/saved-query';

export const QUERY_LOGS = 'query_logs';
export const DESCRIBE_LOGS = 'describe_logs';
export const CHECK_QUERY = 'check_query';

const RESERVED: readonly string[] = [QUERY_LOGS, DESCRIBE_LOGS, CHECK_QUERY];
const MAX_LENGTH = 64;
const DIGEST_LENGTH = 8;
/** A name that ends like one with a digest gets one of its own: it could be that of another saved query. */
const WITH_DIGEST = new RegExp(`_[0-9a-f]{${DIGEST_LENGTH}}$`);

/**
 * A name for each saved query: `usage.api-counts` is `usage_api_counts`. Where two would have one name, each ends with
 * a digest of its id, so that a name never changes its meaning when another saved query is added.
 */
export function toolNames(definitions: readonly SavedQuery[]): ReadonlyMap<string, SavedQuery> {
  const taken = new Set(RESERVED);
  const seen = new Set<string>();
  for (const { name } of definitions) {
    const plain = plainName(name);
    if (seen.has(plain) || WITH_DIGEST.test(plain)) taken.add(plain);
    else seen.add(plain);
  }
  return new Map(
    definitions.map((definition) => {
      const name = plainName(definition.name);
      return [taken.has(name) ? withDigest(name, definition.id) : name, definition];
    })
  );
}

/** Ids that are written by hand often begin or end in the same way. */
function withDigest(name: string, id: string): string {
  const digest = hash('sha256', id, 'hex').slice(0, DIGEST_LENGTH);
  return `${name.slice(0, MAX_LENGTH - DIGEST_LENGTH - 1)}_${digest}`;
}

function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9]+/g, '_').slice(0, MAX_LENGTH);
}
