/** Names of tools. Clients accept 64 letters, digits, `_` and `-`; names of saved queries have more. */
import type { SavedQuery } from '#contract/queries/saved-query';

export const QUERY_LOGS = 'query_logs';
export const DESCRIBE_LOGS = 'describe_logs';
export const CHECK_QUERY = 'check_query';

const RESERVED: readonly string[] = [QUERY_LOGS, DESCRIBE_LOGS, CHECK_QUERY];
const MAX_LENGTH = 64;

/**
 * A name for each saved query: `usage.api-counts` is `usage_api_counts`. Where two would have one name, each ends with
 * the start of its id, so that a name never changes its meaning when another saved query is added.
 */
export function toolNames(definitions: readonly SavedQuery[]): ReadonlyMap<string, SavedQuery> {
  const taken = new Set(RESERVED);
  const seen = new Set<string>();
  for (const { name } of definitions) {
    const plain = plainName(name);
    if (seen.has(plain)) taken.add(plain);
    else seen.add(plain);
  }
  return new Map(
    definitions.map((definition) => {
      const name = plainName(definition.name);
      return [taken.has(name) ? `${name.slice(0, MAX_LENGTH - 9)}_${definition.id.slice(0, 8)}` : name, definition];
    })
  );
}

function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9]+/g, '_').slice(0, MAX_LENGTH);
}
