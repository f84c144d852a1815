/**
 * UNNEST of a field. Records of log events are opened without a join: a lateral join with an array of length 0 or 1
 * only drops rows, so it becomes a condition on presence. Lists are opened inside the relation from which they are
 * read, if that is equivalent.
 */
import type { UnnestItem } from '../../../ast';
import type { Value } from '../../../functions/function';
import { children, some } from '../../../ir/walk/children';
import type { Expr } from '../../../ir/expression';
import { BOOL, INT64, type Type, elementOf, shapeOf } from '../../../ir/types';
import { TRUE } from '../../expressions/fold-conditions';
import { NOTHING_MERGED, type Piece } from './from-piece';
import { elementVariables, lazyVariable, recordVariable, valueVariable } from '../../relations/range-variables';
import { ListRelation } from '../../relations/list-relation';
import type { Relation } from '../../relations/relation';
import type { Resolution } from '../../resolution';
import type { RangeVariable } from '../../names/scope';
import { callOf } from '../../../ir/operations/call';

export function openRecord(
  resolution: Resolution,
  item: UnnestItem,
  argument: Value,
  left: readonly Piece[],
  join: 'CROSS' | 'LEFT'
): Piece {
  const type: Type = { kind: 'RECORD', shape: shapeOf(argument.type) };
  const record: Value = { ...argument, expr: { ...argument.expr, type }, type };
  const variable = recordVariable(resolution, item.alias?.name ?? '', item, record);
  return opened(resolution, item, argument, variable, left, join);
}

/** Opens a field of a record as a list of one value, in rows that have the record. */
export function openField(
  resolution: Resolution,
  item: UnnestItem,
  record: Value,
  value: Value,
  left: readonly Piece[],
  join: 'CROSS' | 'LEFT'
): Piece {
  const { name, position } = item.alias ?? { name: '', position: item.position };
  return opened(resolution, item, record, valueVariable(name, position, value), left, join);
}

function opened(
  resolution: Resolution,
  item: UnnestItem,
  argument: Value,
  variable: RangeVariable,
  left: readonly Piece[],
  join: 'CROSS' | 'LEFT'
): Piece {
  const variables = [variable];
  const condition = join === 'LEFT' ? TRUE : presence(resolution, argument, left);
  if (item.offset) {
    const { name, position } = item.offset;
    // An outer join around the item makes its rows optional later.
    const offset = (): Expr =>
      join === 'CROSS' && !isOptional(resolution, argument.expr)
        ? ZERO
        : zeroWhere(presence(resolution, argument, left));
    variables.push(lazyVariable(name, position, () => ({ expr: offset(), type: INT64, text: null, position })));
  }
  return {
    plan: null,
    variables,
    relations: [],
    conditions: condition === TRUE ? [] : [condition],
    merged: NOTHING_MERGED,
  };
}

const ZERO: Expr = { kind: 'literal', type: INT64, value: 0n };

/** Whether an expression reads the optional side of an outer join. */
function isOptional(resolution: Resolution, expr: Expr): boolean {
  return some(
    expr,
    (part) => (part.kind === 'column' || part.kind === 'lazy-record') && resolution.isNullable(part.relation)
  );
}

/** The offset of a record that may be absent. */
function zeroWhere(there: Expr): Expr {
  if (there === TRUE) return ZERO;
  return { kind: 'case', branches: [{ when: there, then: ZERO }], otherwise: null, type: INT64 };
}

function presence(resolution: Resolution, argument: Value, left: readonly Piece[]): Expr {
  const { expr } = argument;
  if (expr.kind !== 'lazy-record') {
    return callOf('is_not_null', [resolution.materialize(argument)], BOOL);
  }
  const relation = resolution.relation(expr.relation);
  const here = left.some((piece) => piece.relations.includes(expr.relation));
  if (here && !resolution.isNullable(expr.relation) && relation.alwaysPresent(expr.column, expr.path)) return TRUE;
  const mention = { display: expr.display, position: expr.position };
  return relation.demand(expr.column, expr.path, 'presence', mention);
}

export function openList(
  resolution: Resolution,
  item: UnnestItem,
  list: Value,
  left: readonly Piece[],
  join: 'CROSS' | 'LEFT'
): Piece {
  const element = elementOf(list.type);
  const owner = singleOwner(resolution, list.expr, left);
  if (owner !== undefined) {
    const { unnests } = owner.plan;
    const name = `u${unnests.length + 1}`;
    const offset = item.offset ? `o${unnests.length + 1}` : null;
    unnests.push({ list: list.expr, element: name, offset, keepEmpty: join === 'LEFT' });
    const variables = elementVariables(
      item,
      element,
      (which, type, mention) => ({
        kind: 'column',
        relation: owner.id,
        name: which === 'element' ? name : (offset as string),
        type,
        ...mention,
      }),
      resolution
    );
    return { plan: null, variables, relations: [], conditions: [], merged: NOTHING_MERGED };
  }
  const listItem = {
    name: item.alias?.name ?? '',
    list: list.expr,
    element,
    withOffset: item.offset?.name ?? null,
    lateral: readsRow(list.expr, left),
  };
  const relation = resolution.register((id) => new ListRelation(id, listItem, resolution.input.redaction));
  if (join === 'LEFT') resolution.markNullable([relation.id]);
  const variables = elementVariables(
    item,
    element,
    (which, _type, mention) => relation.demand(which === 'element' ? 0 : 1, [], 'value', mention),
    resolution
  );
  return {
    plan: relation.plan,
    variables,
    relations: [relation.id],
    conditions: [],
    merged: NOTHING_MERGED,
    keepsLeft: join === 'LEFT',
  };
}

/** Whether a list depends on the rows to its left. */
export function readsRow(list: Expr, left: readonly Piece[]): boolean {
  const ids = new Set<number>();
  return !collectRelations(list, ids) || left.some((piece) => piece.relations.some((id) => ids.has(id)));
}

/**
 * The only relation to the left from which the list is read, if the list can be opened there: its rows must not be
 * optional.
 */
function singleOwner(resolution: Resolution, list: Expr, left: readonly Piece[]): Relation | undefined {
  const ids = new Set<number>();
  if (!collectRelations(list, ids)) return undefined;
  const [id, ...others] = ids;
  if (id === undefined || others.length > 0) return undefined;
  const here = left.some((piece) => piece.relations.includes(id));
  return here && !resolution.isNullable(id) ? resolution.relation(id) : undefined;
}

/**
 * Collects the relations that an expression reads. @returns false for an expression that cannot be moved, such as a
 * subquery
 */
function collectRelations(expr: Expr, ids: Set<number>): boolean {
  if (expr.kind === 'subquery' || expr.kind === 'in-subquery' || expr.kind === 'aggregate') return false;
  if (expr.kind === 'column' || expr.kind === 'lazy-record') ids.add(expr.relation);
  return children(expr).every((child) => collectRelations(child, ids));
}
