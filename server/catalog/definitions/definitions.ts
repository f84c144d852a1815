/** The served saved queries, by id and by name: those of files, and those created over the API. */
import type { SavedQuery } from '#contract/queries/saved-query';
import { UUID_PATTERN } from '#contract/queries/saved-query';

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

export function createDefinitions(files: readonly SavedQuery[], stored: readonly SavedQuery[] = []): Definitions {
  let ofFiles = files;
  let ofApi: ReadonlyMap<string, SavedQuery> = new Map(stored.map((definition) => [definition.id, definition]));
  let index = createIndex([...files, ...stored]);
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
      index = createIndex([...ofFiles, ...ofApi.values()]);
    },
    amend: (amendment) => {
      const next = new Map(ofApi);
      for (const id of amendment.removed) next.delete(id);
      for (const definition of amendment.changed) next.set(definition.id, definition);
      ofApi = next;
      index = amendIndex(index, amendment);
    },
  };
}

interface Index {
  readonly all: readonly SavedQuery[];
  readonly byId: ReadonlyMap<string, SavedQuery>;
  readonly byName: ReadonlyMap<string, SavedQuery>;
}

function createIndex(definitions: readonly SavedQuery[]): Index {
  const all = [...definitions].sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    all,
    byId: new Map(all.map((definition) => [definition.id.toLowerCase(), definition])),
    byName: new Map(all.map((definition) => [definition.name, definition])),
  };
}

/** Takes milliseconds with ten thousand definitions, where sorting all of them would hold up calls. */
function amendIndex(former: Index, { changed, removed }: Amendment): Index {
  const byId = new Map(former.byId);
  const byName = new Map(former.byName);
  const replaced = new Set<SavedQuery>();
  for (const id of [...removed, ...changed.map((definition) => definition.id)]) {
    const definition = byId.get(id);
    if (!definition) continue;
    replaced.add(definition);
    byId.delete(id);
    byName.delete(definition.name);
  }
  const all = replaced.size === 0 ? [...former.all] : former.all.filter((definition) => !replaced.has(definition));
  for (const definition of changed) {
    const at = all.findIndex(({ name }) => name > definition.name);
    all.splice(at < 0 ? all.length : at, 0, definition);
    byId.set(definition.id, definition);
    byName.set(definition.name, definition);
  }
  return { all, byId, byName };
}
