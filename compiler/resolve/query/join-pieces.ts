/** Joins FROM items: which rows are kept, where conditions are placed, and which column USING produces. */
import type { Identifier, JoinItem, SourcePosition } from '../../ast';
import type { Value } from '../../functions/function';
import type { Expr } from '../../ir/expression';
import type { FromPlan, JoinPlan } from '../../ir/plan';
import { BOOL } from '../../ir/types';
import { comparable } from '../types/compare';
import { failure } from '../failure';
import { foldAnd, TRUE } from '../expressions/fold-conditions';
import type { Piece } from './from-piece';
import type { Resolution } from '../resolution';
import { columnOf } from '../names/resolve-path';
import { columnIndex } from '../names/scope';
import { callOf } from '../../ir/call';

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

/** @param condition the resolved ON; null if absent */
export function joinPieces(
  resolution: Resolution,
  item: JoinItem,
  { left, right, condition }: { readonly left: Piece; readonly right: Piece; readonly condition: Expr | null }
): Piece {
  const merged = new Map([...left.merged, ...right.merged]);
  const using = item.using.map((name) => usingColumn(name, item, left, right, merged));
  const on = condition === null ? [] : [condition];
  const conditions = [...using, ...on];
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
    on: splitAnd(foldAnd(conditions)),
  };
  return { plan, variables, relations, conditions: inner, merged };
}

/** USING (name): an equality, and one unqualified column instead of two. */
function usingColumn(
  name: Identifier,
  item: JoinItem,
  left: Piece,
  right: Piece,
  merged: Map<string, (position: SourcePosition) => Value>
): Expr {
  const side = (piece: Piece): ((position: SourcePosition) => Value) => {
    const earlier = piece.merged.get(name.name.toLowerCase());
    if (earlier) return earlier;
    const owners = piece.variables.filter((variable) => columnIndex(variable.columns, name.name) >= 0);
    const [owner] = owners;
    if (owner === undefined || owners.length > 1) {
      const why = owner === undefined ? 'is not on both sides of the join' : 'is ambiguous';
      throw failure('unknown_column', `column "${name.name}" of USING ${why}`, name.position, { name: name.name });
    }
    return (position) => columnOf(owner, { ...name, position });
  };
  const [a, b] = [side(left), side(right)];
  const [x, y] = comparable([a(name.position), b(name.position)], name.position);
  merged.set(name.name.toLowerCase(), (position) => {
    if (item.join === 'RIGHT') return b(position);
    if (item.join !== 'FULL') return a(position);
    const type = x.type;
    return { expr: callOf('coalesce', [x.expr, y.expr], type), type, text: null, position };
  });
  return callOf('eq', [x.expr, y.expr], BOOL);
}

function singleRow(resolution: Resolution): FromPlan {
  const relation = resolution.register((id) => ({
    id,
    plan: { kind: 'relation', id, input: { kind: 'single-row' }, unnests: [] } as const,
    columns: [],
    demand: () => TRUE,
    alwaysPresent: () => false,
    narrow: () => undefined,
  }));
  return { ...relation.plan, unnests: [] };
}

function splitAnd(expr: Expr): Expr[] {
  if (expr === TRUE) return [];
  return expr.kind === 'call' && expr.fn === 'and' ? [...expr.args] : [expr];
}
