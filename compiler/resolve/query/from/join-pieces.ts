/** Joins FROM items: which rows are kept, where conditions are placed, and which column USING produces. */
import type { Identifier, JoinedItem, SourcePosition } from '../../../ast';
import type { Value } from '../../../functions/function';
import type { Expr } from '../../../ir/expression';
import type { FromPlan, JoinPlan } from '../../../ir/plan';
import { BOOL } from '../../../ir/types';
import { comparable } from '../../types/compare';
import { failure } from '../../failure';
import { conjuncts, foldAnd } from '../../expressions/fold-conditions';
import type { Piece } from './from-piece';
import type { Resolution } from '../../resolution';
import { withoutColumns } from '../../relations/without-columns';
import { columnOf } from '../../names/resolve-path';
import { columnIndex, type MergedColumn, type RangeVariable, sameName } from '../../names/scope';
import { callOf } from '../../../ir/operations/call';
import { itemAt } from '../../../items';

/** Adds an opened array to its origin: a lateral list is joined; other arrays have no plan of their own. */
export function withOpened(left: Piece, opened: Piece): Piece {
  const plan: FromPlan | null =
    left.plan === null
      ? opened.plan
      : opened.plan === null
        ? left.plan
        : { kind: 'join', join: opened.keepsLeft ? 'LEFT' : 'CROSS', left: left.plan, right: opened.plan, on: [] };
  return {
    plan,
    variables: [...left.variables, ...opened.variables],
    relations: [...left.relations, ...opened.relations],
    conditions: [...left.conditions, ...opened.conditions],
    merged: left.merged,
  };
}

/** `JOIN t.list AS x WITH OFFSET USING (offset)`. An outer join has restricted the list already. */
export function withOpenedUsing(left: Piece, opened: Piece, item: JoinedItem): Piece {
  const using = item.using.map((name) => usingColumn(name, item, left, opened));
  const piece = withOpened(left, opened);
  const equal = item.join === 'LEFT' ? [] : using.map(({ condition }) => condition);
  const conditions = [...piece.conditions, ...equal];
  const merged = left.merged.filter(({ name }) => !item.using.some((own) => sameName(own.name, name)));
  return { ...piece, conditions, merged: [...using.map((column) => column.merged), ...merged] };
}

/** @param condition the resolved ON; null if absent */
export function joinPieces(
  resolution: Resolution,
  item: JoinedItem,
  { left, right, condition }: { readonly left: Piece; readonly right: Piece; readonly condition: Expr | null }
): Piece {
  const using = item.using.map((name) => usingColumn(name, item, left, right));
  const merged = [
    ...using.map((column) => column.merged),
    ...[...left.merged, ...right.merged].filter(({ name }) => !item.using.some((own) => sameName(own.name, name))),
  ];
  const on = condition === null ? [] : [condition];
  const conditions = [...using.map((column) => column.condition), ...on];
  const keepsLeft = item.join === 'LEFT' || item.join === 'FULL';
  const keepsRight = item.join === 'RIGHT' || item.join === 'FULL';
  if (item.join === 'FULL' && left.conditions.length + right.conditions.length > 0) {
    throw failure('not_supported', 'FULL JOIN of opened arrays is not supported', item.position, {
      name: 'FULL JOIN',
      hint: 'open the arrays in subqueries and join those',
    });
  }
  // On the optional side of an outer join, conditions restrict matches instead of filtering rows of the other side.
  if (keepsLeft) conditions.push(...right.conditions);
  if (keepsRight) conditions.push(...left.conditions);
  if (keepsRight) resolution.markNullable(left.relations);
  if (keepsLeft) resolution.markNullable(right.relations);
  const inner = [...(keepsRight ? [] : left.conditions), ...(keepsLeft ? [] : right.conditions)];
  const variables = [...left.variables, ...right.variables];
  const relations = [...left.relations, ...right.relations];
  if (item.join === 'CROSS' && (left.plan === null || right.plan === null)) {
    return { plan: left.plan ?? right.plan, variables, relations, conditions: inner, merged };
  }
  const plan: JoinPlan = {
    kind: 'join',
    join: item.join,
    left: left.plan ?? singleRow(resolution),
    right: right.plan ?? singleRow(resolution),
    on: conjuncts(foldAnd(conditions)),
  };
  return { plan, variables, relations, conditions: inner, merged };
}

interface Using {
  readonly condition: Expr;
  readonly merged: MergedColumn;
}

/** USING (name): an equality, and one unqualified column instead of two. */
function usingColumn(name: Identifier, item: JoinedItem, left: Piece, right: Piece): Using {
  const [a, b] = [usingSide(name, left), usingSide(name, right)];
  const sides = [a.value(name.position), b.value(name.position)] as const;
  const [x, y] = comparable(sides, name.position);
  // Intervals are compared by their lengths.
  const [one, other] = sides.some(({ type }) => type.kind === 'INTERVAL') ? sides : [x, y];
  const value = (position: SourcePosition): Value => {
    if (item.join === 'RIGHT') return b.value(position);
    if (item.join !== 'FULL') return a.value(position);
    const { type } = one;
    return { expr: callOf('coalesce', [one.expr, other.expr], type), type, text: null, position };
  };
  const first = itemAt(left.variables, 0);
  return {
    condition: callOf('eq', [x.expr, y.expr], BOOL),
    merged: { name: name.name, owners: [...a.owners, ...b.owners], first, value },
  };
}

/** The column of one side of a join. @throws unknown_column, ambiguous_column */
export function usingSide(
  name: Identifier,
  piece: Pick<Piece, 'variables' | 'merged'>
): Pick<MergedColumn, 'owners' | 'value'> {
  const merged = piece.merged.filter((column) => sameName(column.name, name.name));
  const owners = piece.variables.filter(
    (variable) =>
      variable.isQualifiedOnly !== true &&
      hasColumn(variable, name.name) &&
      !merged.some((column) => column.owners.includes(variable))
  );
  const [earlier] = merged;
  if (merged.length + owners.length !== 1) {
    const why = merged.length + owners.length === 0 ? 'is not on both sides of the join' : 'is ambiguous';
    throw failure('unknown_column', `column "${name.name}" of USING ${why}`, name.position, { name: name.name });
  }
  if (earlier !== undefined) return earlier;
  const variable = itemAt(owners, 0);
  return {
    owners: [variable],
    value: (position) =>
      variable.columns.length === 0 ? variable.whole(position) : columnOf(variable, { ...name, position }),
  };
}

/** The offset of an opened list is a column by its own name. */
function hasColumn({ name, columns }: RangeVariable, wanted: string): boolean {
  return columns.length === 0 ? sameName(name, wanted) : columnIndex(columns, wanted) >= 0;
}

function singleRow(resolution: Resolution): FromPlan {
  return { ...withoutColumns(resolution).plan, unnests: [] };
}
