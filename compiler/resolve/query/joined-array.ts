/** LEFT JOIN of an array of a row with a condition: elements that do not satisfy it are left out before they join. */
import type { JoinedItem, UnnestItem } from '../../ast';
import type { Value } from '../../functions/function';
import { callOf } from '../../ir/call';
import type { ElementExpr, Expr, LambdaExpr } from '../../ir/expression';
import { BOOL, INT64, type Type } from '../../ir/types';
import { withFewSteps } from '../expressions/list-work';
import { failure } from '../failure';
import { TRUE } from '../expressions/fold-conditions';
import type { ExpressionResolver } from '../expressions/resolve-expression';
import type { RangeVariable } from '../names/scope';
import { elementVariables } from '../relations/range-variables';
import type { Resolution } from '../resolution';
import type { Piece } from './from/from-piece';

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

/**
 * The elements of a list that satisfy the condition.
 * @param resolver makes the resolver of the condition, which sees the element under its name
 * @throws not_supported with an offset, or for a subquery in the condition
 */
export function elementsWhere(
  resolution: Resolution,
  { item, join }: { readonly item: UnnestItem; readonly join: JoinedItem },
  list: Value,
  resolver: (element: readonly RangeVariable[]) => ExpressionResolver
): Value {
  if (join.on === null) return list;
  const { element } = list.type as Extract<Type, { kind: 'ARRAY' }>;
  const parameter: ElementExpr = { kind: 'element', name: 'e1', of: 'element', type: element };
  const place: ElementExpr = { kind: 'element', name: 'i1', of: 'offset', type: INT64 };
  const ofWhich = (which: 'element' | 'offset'): ElementExpr => (which === 'element' ? parameter : place);
  const variables = elementVariables(item, element, ofWhich, resolution);
  if (hasQuery(join.on)) {
    throw failure('not_supported', 'LEFT JOIN of an array takes no condition with a subquery', join.on.position, {
      name: 'ON',
      hint: 'write LEFT JOIN UNNEST(ARRAY(SELECT x FROM UNNEST(list) AS x WHERE ...)) AS x',
    });
  }
  const inside = resolver(variables);
  const frame = { parameters: [], list: list.expr };
  const { on } = join;
  const condition = inside.within(frame, () => inside.coerce(inside.resolve(on), BOOL, 'ON')).expr;
  if (condition.kind === 'literal' && condition.value === true) return list;
  if (item.offset !== null) {
    throw failure('not_supported', 'LEFT JOIN of an array takes no condition with WITH OFFSET', on.position, {
      name: 'ON',
      hint: 'put the condition on the opened fields into CASE WHEN, or open the array in a subquery',
    });
  }
  const body = callOf('is_true', [condition], BOOL);
  const lambda: LambdaExpr = { kind: 'lambda', parameters: [parameter], body, type: BOOL };
  return { ...list, expr: withFewSteps(inside, callOf('list_filter', [list.expr, lambda], list.type)) };
}

function hasQuery(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if ('kind' in node && node.kind === 'query') return true;
  return Object.values(node).some(hasQuery);
}
