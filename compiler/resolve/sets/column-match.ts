/** Columns of set operations that are matched by name. */
import type { ColumnMatch, Identifier, SourcePosition } from '../../ast';
import { failure } from '../failure';
import { ensureFewColumns } from '../query/select/column-limit';
import type { ResolvedQuery } from '../query/resolved-query';

export interface Branch {
  readonly query: ResolvedQuery;
  readonly position: SourcePosition;
}

export interface MatchedColumn {
  readonly name: string;
  /** Its place in each branch; null where the branch lacks it. */
  readonly places: readonly (number | null)[];
}

/** Places of the columns of a branch by their names in small letters. */
type Places = ReadonlyMap<string, number>;

/** Names of columns that were written without one. */
const UNNAMED = /^(?:f\d+_)?$/;

/**
 * Columns of the result, each with its place in the branches.
 * @throws wrong_columns, ambiguous_column, too_complex
 */
export function matchColumns(
  match: ColumnMatch,
  branches: readonly Branch[],
  position: SourcePosition
): readonly MatchedColumn[] {
  const places = branches.map(placesOf);
  const names = match.columns.length > 0 ? listedNames(match.columns) : namesOf(match.mode, branches);
  ensureFewColumns(names.length, 'the set operation', position);
  const all = names.map((name) => ({ name, places: places.map((each) => each.get(name.toLowerCase()) ?? null) }));
  if (match.mode === 'STRICT') ensureNoOthers(branches, names, match.columns.length > 0, position);
  const columns = match.mode === 'INNER' && match.columns.length === 0 ? all.filter(isEverywhere) : all;
  const odd = columns.find((column) => !fits(column, match.mode));
  if (odd !== undefined) {
    throw failure('wrong_columns', `the column "${odd.name}" ${ABSENT[match.mode]}`, position, {
      name: odd.name,
      ...(match.mode === 'STRICT' && { hint: FULL_HINT }),
    });
  }
  if (
    columns.length === 0 ||
    (match.mode === 'LEFT' && places.some((_, branch) => !sharesWithFirst(columns, branch)))
  ) {
    throw failure('wrong_columns', 'the branches of the set operation have no column in common', position);
  }
  return columns;
}

const FULL_HINT = 'write FULL before the operator for NULL where a branch lacks a column';

const ABSENT: Readonly<Record<ColumnMatch['mode'], string>> = {
  STRICT: 'is not in all branches of the set operation',
  INNER: 'of ON is not in all branches of the set operation',
  LEFT: 'of ON is not in the first branch of the set operation',
  FULL: 'of ON is in no branch of the set operation',
};

function isEverywhere({ places }: MatchedColumn): boolean {
  return !places.includes(null);
}

function fits(column: MatchedColumn, mode: ColumnMatch['mode']): boolean {
  if (mode === 'LEFT') return column.places[0] !== null;
  return mode === 'FULL' ? column.places.some((place) => place !== null) : isEverywhere(column);
}

function sharesWithFirst(columns: readonly MatchedColumn[], branch: number): boolean {
  return columns.some(({ places }) => places[0] !== null && places[branch] !== null);
}

function placesOf({ query: { columns }, position }: Branch): Places {
  const places = new Map<string, number>();
  columns.forEach(({ name }, index) => {
    if (UNNAMED.test(name)) {
      throw failure('wrong_columns', `column ${index + 1} needs a name: columns are matched by name`, position, {
        hint: 'write AS name',
      });
    }
    if (places.has(name.toLowerCase())) {
      throw failure('ambiguous_column', `two columns of a branch have the name "${name}"`, position, {
        hint: 'give one of them another name with AS',
      });
    }
    places.set(name.toLowerCase(), index);
  });
  return places;
}

function listedNames(listed: readonly Identifier[]): readonly string[] {
  const seen = new Set<string>();
  return listed.map(({ name, position }) => {
    if (seen.has(name.toLowerCase())) throw failure('wrong_columns', `"${name}" is listed twice`, position, { name });
    seen.add(name.toLowerCase());
    return name;
  });
}

/** Names of the first branch, with FULL those of all in the order of the branches. */
function namesOf(mode: ColumnMatch['mode'], branches: readonly Branch[]): readonly string[] {
  const names = new Map<string, string>();
  for (const { query } of mode === 'FULL' ? branches : branches.slice(0, 1)) {
    for (const { name } of query.columns) if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  return [...names.values()];
}

function ensureNoOthers(
  branches: readonly Branch[],
  names: readonly string[],
  areListed: boolean,
  position: SourcePosition
): void {
  const known = new Set(names.map((name) => name.toLowerCase()));
  const columns = branches.flatMap(({ query }) => query.columns);
  const other = columns.find(({ name }) => !known.has(name.toLowerCase()));
  if (other === undefined) return;
  const what = areListed ? 'is not in the list of ON' : ABSENT.STRICT;
  const hint = areListed ? 'write INNER before the operator to leave columns out' : FULL_HINT;
  throw failure('wrong_columns', `the column "${other.name}" ${what}`, position, { name: other.name, hint });
}
