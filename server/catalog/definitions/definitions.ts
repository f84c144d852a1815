/** The served saved queries, by id and by name: those of files, and those created over the API. */
import type { SavedQuery } from '#contract/saved-query';
import { UUID_PATTERN } from '#contract/saved-query';

/** Owner of a definition. `file`: a YAML file, or a set pushed to the catalog. `api`: created over HTTP. */
export type Origin = 'file' | 'api';

/** Change of some saved queries of origin `api`. */
export interface Amendment {
  readonly changed: readonly SavedQuery[];
  /** Ids of saved queries that no longer exist. */
  readonly removed: readonly string[];
}

export interface Definitions {
  /** Ordered by name. No change affects an array that was returned before. */
  readonly all: readonly SavedQuery[];
  find(idOrName: string): SavedQuery | undefined;
  /** Saved queries of one origin. */
  ofOrigin(origin: Origin): readonly SavedQuery[];
  originOf(definition: SavedQuery): Origin;
  /** Replaces all saved queries of files in one step. */
  replace(files: readonly SavedQuery[]): void;
  /** Changes saved queries of origin `api` in one step. */
  amend(amendment: Amendment): void;
}

interface Index {
  readonly all: readonly SavedQuery[];
  readonly byId: ReadonlyMap<string, SavedQuery>;
  readonly byName: ReadonlyMap<string, SavedQuery>;
}

export function createDefinitions(files: readonly SavedQuery[], stored: readonly SavedQuery[] = []): Definitions {
  let ofFiles = files;
  let ofApi: ReadonlyMap<string, SavedQuery> = new Map(stored.map((definition) => [definition.id, definition]));
  let index = createIndex(ofFiles, ofApi);
  return {
    get all() {
      return index.all;
    },
    find: (idOrName) =>
      UUID_PATTERN.test(idOrName) ? index.byId.get(idOrName.toLowerCase()) : index.byName.get(idOrName),
    ofOrigin: (origin) => (origin === 'file' ? ofFiles : [...ofApi.values()]),
    originOf: ({ id }) => (ofApi.has(id) ? 'api' : 'file'),
    replace: (others) => {
      ofFiles = others;
      index = createIndex(ofFiles, ofApi);
    },
    amend: ({ changed, removed }) => {
      const next = new Map(ofApi);
      for (const id of removed) next.delete(id);
      for (const definition of changed) next.set(definition.id, definition);
      ofApi = next;
      index = createIndex(ofFiles, ofApi);
    },
  };
}

function createIndex(files: readonly SavedQuery[], stored: ReadonlyMap<string, SavedQuery>): Index {
  const all = [...files, ...stored.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    all,
    byId: new Map(all.map((definition) => [definition.id.toLowerCase(), definition])),
    byName: new Map(all.map((definition) => [definition.name, definition])),
  };
}
