/**
 * Aggregates over the rows that satisfy a condition: the argument is NULL in all others, which aggregates leave out.
 */
import { callOf } from '../../../ir/operations/call';
import type { AggregateExpr, ElementExpr, Expr, LambdaExpr } from '../../../ir/expression';
import { withChildren } from '../../../ir/walk/children';
import { arrayOf, type Type } from '../../../ir/types';
import { itemAt } from '../../../items';

/** Whether the aggregate counts or lists NULL, too. */
export function keepsNulls({ fn, ignoreNulls }: AggregateExpr): boolean {
  return fn === 'approx_top_count' || (fn === 'array_agg' && !ignoreNulls);
}

/** The aggregate of a call, which may be in a conversion or have a default. */
export function callIn(expr: Expr): AggregateExpr | undefined {
  if (expr.kind === 'aggregate') return expr;
  if (expr.kind === 'cast') return callIn(expr.operand);
  if (expr.kind === 'case') return expr.otherwise === null ? undefined : callIn(expr.otherwise);
  if (expr.kind !== 'call') return undefined;
  for (const arg of expr.args) {
    const found = callIn(arg);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The call over the rows that satisfy the condition.
 * @param ofRow an argument, as the aggregate reads it
 */
export function restricted(expr: Expr, condition: Expr, ofRow: (part: Expr) => Expr = (part) => part): Expr {
  if (expr.kind !== 'aggregate') return withChildren(expr, (child) => restricted(child, condition, ofRow));
  if (expr.fn === 'count_rows') return { ...expr, fn: 'count_if', args: [condition] };
  const { args, orderBy } = withChildren(expr, ofRow) as AggregateExpr;
  // Rows without a key are left out.
  const place = expr.fn === 'max_by' || expr.fn === 'min_by' ? 1 : 0;
  const kept = args.map((arg, index) => (index === place ? when(condition, arg) : arg));
  return { ...expr, args: kept, orderBy };
}

/**
 * ARRAY_AGG that lists NULL, over the rows that satisfy the condition: the values are in structs while it collects
 * them.
 */
export function restrictedList(call: AggregateExpr<'array_agg'>, condition: Expr): Expr {
  const value = itemAt(call.args, 0);
  const type: Type = { kind: 'STRUCT', fields: [{ name: 'v', type: value.type }] };
  const boxed: Expr = { kind: 'struct', fields: [{ name: 'v', expr: value }], type };
  const list: Expr = { ...call, args: [when(condition, boxed)], ignoreNulls: true, type: arrayOf(type) };
  const element: ElementExpr = { kind: 'element', name: 'e1', of: 'element', type };
  const body: Expr = { kind: 'struct-field', base: element, field: 'v', index: 0, type: value.type };
  const lambda: LambdaExpr = { kind: 'lambda', parameters: [element], body, type: value.type };
  return callOf('list_map', [list, lambda], call.type);
}

/** A value in the rows that satisfy the condition, NULL in all others. */
export function when(condition: Expr, then: Expr): Expr {
  return { kind: 'case', branches: [{ when: condition, then }], otherwise: null, type: then.type };
}
