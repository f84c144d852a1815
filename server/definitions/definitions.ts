/** The saved queries that are served, found by id or by name. */
import type { SavedQuery } from '#contract/saved-query';
import { UUID_PATTERN } from '#contract/saved-query';

export interface Definitions {
  /** Ordered by name. */
  readonly all: readonly SavedQuery[];
  find(idOrName: string): SavedQuery | undefined;
}

export function createDefinitions(definitions: readonly SavedQuery[]): Definitions {
  const all = [...definitions].sort((a, b) => (a.name < b.name ? -1 : 1));
  const byId = new Map(all.map((definition) => [definition.id.toLowerCase(), definition]));
  const byName = new Map(all.map((definition) => [definition.name, definition]));
  return {
    all,
    find: (idOrName) => (UUID_PATTERN.test(idOrName) ? byId.get(idOrName.toLowerCase()) : byName.get(idOrName)),
  };
}
