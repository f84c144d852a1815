/** Compares definitions in files with the saved queries of a server. Nothing is read or changed here. */
import { valueListProblem } from '../../../catalog/definitions/value-list';
import { type FileProblem, type LocalDefinition, problemAt } from '../definition/local-definition';
import type { ListedQuery } from '../remote/answers';
import type { StoredQuery } from '../remote/read-texts';

export type Change =
  | { readonly kind: 'create'; readonly local: LocalDefinition }
  | { readonly kind: 'update'; readonly local: LocalDefinition; readonly served: StoredQuery }
  | { readonly kind: 'delete'; readonly served: StoredQuery };

export interface Plan {
  /** New and changed ones in the order of the files, then deletions. */
  readonly changes: readonly Change[];
  readonly unchanged: number;
  /** Saved queries of the API without a file, which stay because nothing is deleted. */
  readonly leftOver: readonly StoredQuery[];
}

export interface Served {
  /** Saved queries of origin `api`. */
  readonly stored: readonly StoredQuery[];
  /** Saved queries of origin `file`, which are not managed over HTTP. */
  readonly elsewhere: readonly ListedQuery[];
}

/**
 * A file belongs to the saved query with its id, or, when its text has none, with its name.
 *
 * @param prune whether saved queries without a file are deleted
 */
export function makePlan(
  locals: readonly LocalDefinition[],
  { stored, elsewhere }: Served,
  prune: boolean
): { readonly plan: Plan; readonly problems: readonly FileProblem[] } {
  const byId = new Map(stored.map((query) => [query.id, query]));
  const byName = new Map(stored.map((query) => [query.name, query]));
  const matches = new Map<LocalDefinition, StoredQuery | undefined>(
    locals.map((local) => [local, local.id === null ? byName.get(local.definition.name) : byId.get(local.id)])
  );
  const matched = new Set([...matches.values()].flatMap((query) => (query ? [query.id] : [])));
  const leftOver = stored.filter(({ id }) => !matched.has(id));
  const changes = [...matches].flatMap(([local, served]): readonly Change[] => {
    if (!served) return [{ kind: 'create', local }];
    return served.text === local.text ? [] : [{ kind: 'update', local, served }];
  });
  const deletions = prune ? leftOver.map((served) => ({ kind: 'delete', served }) as const) : [];
  return {
    plan: {
      changes: [...changes, ...deletions],
      unchanged: locals.length - changes.length,
      leftOver: prune ? [] : leftOver,
    },
    problems: [
      ...findTaken([...matches], [...elsewhere, ...(prune ? [] : leftOver)]),
      ...findSharedTargets([...matches]),
      ...findBadValueLists(locals, [...elsewhere, ...(prune ? [] : leftOver)]),
    ],
  };
}

/** Ids and names that other saved queries keep. */
function findTaken(
  matches: readonly (readonly [LocalDefinition, StoredQuery | undefined])[],
  staying: readonly ListedQuery[]
): readonly FileProblem[] {
  const byId = new Map(staying.map((query) => [query.id.toLowerCase(), query]));
  const byName = new Map(staying.map((query) => [query.name, query]));
  return matches.flatMap(([local]) => {
    const sameId = local.id === null ? undefined : byId.get(local.id);
    const owner = sameId ?? byName.get(local.definition.name);
    if (!owner) return [];
    const key = sameId ? 'id' : 'name';
    const reason =
      owner.origin === 'file'
        ? `the saved query "${owner.name}" is managed in a file of the server; change it there, or remove this file`
        : `the name "${owner.name}" is that of the saved query ${owner.id}; give the file this id, or another name`;
    return [problemAt(local.file, local.loaded.positionOfKey(key), reason)];
  });
}

/** One file names a saved query by its id, another one by its name. */
function findSharedTargets(
  matches: readonly (readonly [LocalDefinition, StoredQuery | undefined])[]
): readonly FileProblem[] {
  const first = new Map<string, string>();
  return matches.flatMap(([local, served]) => {
    if (!served) return [];
    const earlier = first.get(served.id);
    if (earlier === undefined) {
      first.set(served.id, local.file);
      return [];
    }
    const reason = `the saved query "${served.name}" belongs to ${earlier}, by id or name; give this file an id of its own`;
    return [problemAt(local.file, local.loaded.positionOfKey('name'), reason)];
  });
}

function findBadValueLists(
  locals: readonly LocalDefinition[],
  staying: readonly ListedQuery[]
): readonly FileProblem[] {
  const all = [...locals.map(({ definition }) => definition), ...staying.map((query) => ({ ...query, query: '' }))];
  const byName = new Map(all.map((definition) => [definition.name, definition]));
  return locals.flatMap(({ file, definition, loaded }) =>
    definition.parameters.flatMap(({ values }, index) => {
      if (!values) return [];
      const target = byName.get(values.query);
      const reason = valueListProblem(values, target ? [target] : all);
      return reason === undefined ? [] : [problemAt(file, loaded.positionOfParameter(index, 'values'), reason)];
    })
  );
}
