/** LEFT JOIN of an array of a row with a condition: elements that do not satisfy it are left out before they join. */
import type { Expression, JoinedItem, UnnestItem } from '../../ast';
import type { Value } from '../../functions/function';
import { callOf } from '../../ir/operations/call';
import { some } from '../../ir/walk/children';
import type { ElementExpr, Expr, LambdaExpr } from '../../ir/expression';
import { arrayOf, BOOL, INT64, type Type, elementOf } from '../../ir/types';
import { withFewSteps } from '../expressions/calls/list-work';
import type { QueryDraft, SelectDraft } from '../drafts';
import { TRUE } from '../expressions/fold-conditions';
import type { ExpressionResolver } from '../expressions/resolve-expression';
import type { RangeVariable } from '../names/scope';
import { elementVariables } from '../relations/range-variables';
import type { Resolution } from '../resolution';
import type { Piece } from './from/from-piece';
import { itemAt } from '../../items';

/** A record, whose names are NULL where the condition is not true. */
export function onlyWhere(resolution: Resolution, record: Piece, condition: Expr): Piece {
  if (condition === TRUE) return record;
  const only = (value: Value): Value => {
    const then = resolution.materialize(value);
    const expr: Expr = { kind: 'case', branches: [{ when: condition, then }], otherwise: null, type: value.type };
    return { ...value, expr };
  };
  const variables = record.variables.map((variable): RangeVariable => ({
    ...variable,
    column: (index, mention) => only(variable.column(index, mention)),
    whole: (position) => only(variable.whole(position)),
  }));
  return { ...record, variables };
}

/** How a list is opened: its elements without conditions, and the names that a condition sees. */
export interface ListOpener {
  /** Opens a list of the row for an outer join. */
  readonly open: (item: UnnestItem, list: Value) => Piece;
  /** Opens a list that reads nothing of the FROM of the block. */
  readonly openAlone: (item: UnnestItem, list: Value) => Piece;
  /** Makes the resolver of the condition, which sees these names beside those to the left. */
  readonly resolver: (variables: readonly RangeVariable[]) => ExpressionResolver;
}

/** A list of a row, opened with those of its elements only that satisfy the condition. */
export function openedWhere(
  resolution: Resolution,
  { item, join }: { readonly item: UnnestItem; readonly join: JoinedItem },
  list: Value,
  opener: ListOpener
): Piece {
  if (join.on === null) return opener.open(item, list);
  const element = elementOf(list.type);
  const box = item.offset === null ? null : boxOf(element);
  const kept =
    hasQuery(join.on) || some(list.expr, ({ kind }) => kind === 'subquery')
      ? keptByQuery(item, join.on, list, box, opener)
      : keptByLambda(resolution, item, join.on, list, box, opener);
  if (kept === list || box === null) return opener.open(item, kept);
  const { variables, ...piece } = opener.open({ ...item, offset: null }, kept);
  const { expr } = itemAt(variables, 0).whole(item.position);
  const names = elementVariables(item, element, (which) => fieldOf(expr, box, which), resolution);
  return { ...piece, variables: names };
}

type Box = Extract<Type, { kind: 'STRUCT' }>;

/** An element with its place in the list. */
function boxOf(element: Type): Box {
  return {
    kind: 'STRUCT',
    fields: [
      { name: 'v', type: element },
      { name: 'i', type: INT64 },
    ],
  };
}

function boxed(box: Box, element: Expr, place: Expr): Expr {
  const fields = [
    { name: 'v', expr: element },
    { name: 'i', expr: place },
  ];
  return { kind: 'struct', fields, type: box };
}

function fieldOf(base: Expr, box: Box, which: 'element' | 'offset'): Expr {
  const index = which === 'element' ? 0 : 1;
  const { name, type } = itemAt(box.fields, index);
  return { kind: 'struct-field', base, field: name, index, type };
}

/** @param box for elements with their places; null: elements alone */
function keptByLambda(
  resolution: Resolution,
  item: UnnestItem,
  on: Expression,
  list: Value,
  box: Box | null,
  { resolver }: ListOpener
): Value {
  const element = elementOf(list.type);
  const [name, place] = parameters(element);
  const whole: ElementExpr = box === null ? name : { ...name, name: 'b1', type: box };
  const variables = elementVariables(
    item,
    element,
    (which) => (box === null ? name : fieldOf(whole, box, which)),
    resolution
  );
  const inside = resolver(variables);
  const frame = { parameters: [], list: list.expr };
  const condition = inside.within(frame, () => inside.coerce(inside.resolve(on), BOOL, 'ON')).expr;
  if (condition.kind === 'literal' && condition.value === true) return list;
  const type = box === null ? list.type : arrayOf(box);
  const body = box && boxed(box, name, place);
  const all =
    body === null || box === null
      ? list.expr
      : callOf('list_map', [list.expr, { kind: 'lambda', parameters: [name, place], body, type: box }], type);
  const test = callOf('is_true', [condition], BOOL);
  const isKept: LambdaExpr = { kind: 'lambda', parameters: [whole], body: test, type: BOOL };
  return { ...list, type, expr: withFewSteps(inside, callOf('list_filter', [all, isKept], type)) };
}

function parameters(element: Type): readonly [ElementExpr, ElementExpr] {
  return [
    { kind: 'element', name: 'e1', of: 'element', type: element },
    { kind: 'element', name: 'i1', of: 'offset', type: INT64 },
  ];
}

/** A lambda has no subquery, and in DuckDB reads no row beside one: the elements are the rows of a query. */
function keptByQuery(item: UnnestItem, on: Expression, list: Value, box: Box | null, opener: ListOpener): Value {
  const { position } = on;
  const places = { name: '', quoted: true, position };
  const { plan, variables } = opener.openAlone({ ...item, offset: item.offset ?? places }, list);
  const [element, place] = [itemAt(variables, 0), itemAt(variables, 1)];
  const condition = opener.resolver(item.offset === null ? [element] : variables).resolveCondition(on);
  if (condition.kind === 'literal' && condition.value === true) return list;
  const order = place.whole(position).expr;
  const { expr } = element.whole(position);
  const body: SelectDraft = {
    kind: 'select',
    distinct: false,
    outputs: [{ name: 'c1', expr: box === null ? expr : boxed(box, expr, order) }],
    from: plan,
    where: [condition],
    groupBy: null,
    having: null,
    qualify: null,
  };
  const query: QueryDraft = {
    kind: 'query',
    body,
    orderBy: [{ expr: order, direction: 'ASC', nulls: 'FIRST', output: null }],
    limit: null,
    offset: null,
    value: 'c1',
    ordered: true,
  };
  const type = box === null ? list.type : arrayOf(box);
  return { ...list, type, expr: { kind: 'subquery', form: 'array', plan: query, type } };
}

function hasQuery(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if ('kind' in node && node.kind === 'query') return true;
  return Object.values(node).some(hasQuery);
}
