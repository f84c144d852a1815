/** The served saved queries, by id and by name. */
import type { SavedQuery } from '#contract/saved-query';
import { UUID_PATTERN } from '#contract/saved-query';

export interface Definitions {
  /** Ordered by name. `replace` does not change an array that was returned before. */
  readonly all: readonly SavedQuery[];
  find(idOrName: string): SavedQuery | undefined;
  /** Replaces the whole set in one step. */
  replace(definitions: readonly SavedQuery[]): void;
}

interface Index {
  readonly all: readonly SavedQuery[];
  readonly byId: ReadonlyMap<string, SavedQuery>;
  readonly byName: ReadonlyMap<string, SavedQuery>;
}

export function createDefinitions(definitions: readonly SavedQuery[]): Definitions {
  let index = createIndex(definitions);
  return {
    get all() {
      return index.all;
    },
    find: (idOrName) =>
      UUID_PATTERN.test(idOrName) ? index.byId.get(idOrName.toLowerCase()) : index.byName.get(idOrName),
    replace: (others) => void (index = createIndex(others)),
  };
}

function createIndex(definitions: readonly SavedQuery[]): Index {
  const all = [...definitions].sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    all,
    byId: new Map(all.map((definition) => [definition.id.toLowerCase(), definition])),
    byName: new Map(all.map((definition) => [definition.name, definition])),
  };
}
