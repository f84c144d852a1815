/** Steps that the lambdas of an expression take for one row, as an expression that a store computes. */
import { callOf, isCall } from '../../operations/call';
import { children, some } from '../../walk/children';
import type { Expr, LambdaExpr, LiteralExpr } from '../../expression';
import { arrayOf, INT64 } from '../../types';
import { itemAt } from '../../../items';

/** Number of elements that lambdas and GENERATE_ARRAY go through; null for an expression without these. */
export function listSteps(expr: Expr): Expr | null {
  if (isSeries(expr)) return lengthOf(expr);
  const lambda = lambdaOf(expr);
  if (lambda === undefined) return total(children(expr).map(listSteps));
  const list = itemAt(children(expr), 0);
  const before = isSeries(list) ? null : listSteps(list);
  const inner = listSteps(lambda.body);
  if (inner === null) return total([before, lengthOf(list)]);
  return total([before, readsElements(inner, lambda) ? sumOf(list, lambda, inner) : product(lengthOf(list), inner)]);
}

/** The lambda of a loop over the first operand. */
export function lambdaOf(expr: Expr): LambdaExpr | undefined {
  return expr.kind === 'call' ? expr.args.find((arg): arg is LambdaExpr => arg.kind === 'lambda') : undefined;
}

/** Upper bound of a list's length, which needs none of the steps that make the list. */
function lengthOf(list: Expr): Expr {
  if (list.kind === 'array') return literal(BigInt(list.items.length));
  if (isSeries(list)) return seriesLength(list);
  if (isCall(list, 'list_map', 'list_filter', 'array_reverse')) return lengthOf(itemAt(list.args, 0));
  return callOf('list_length', [list], INT64);
}

/** Whether a list is a series of whole numbers with a constant step. */
export function isSeries(list: Expr): boolean {
  if (!isCall(list, 'generate_array')) return false;
  const step = list.args[2];
  return step?.kind === 'literal' && step.type.kind === 'INT64' && step.value !== 0n;
}

/** Length of a series, which is not made for it. */
function seriesLength(series: Expr): Expr {
  const parts = children(series);
  const [first, last, step] = [itemAt(parts, 0), itemAt(parts, 1), itemAt(parts, 2)];
  const distance = callOf('safe_sub', [last, first], INT64);
  const steps = callOf('int_div', [distance, step], INT64);
  return callOf('greatest', [callOf('safe_add', [steps, literal(1n)], INT64), literal(0n)], INT64);
}

function readsElements(expr: Expr, { parameters }: LambdaExpr): boolean {
  return some(expr, (part) => part.kind === 'element' && parameters.some(({ name }) => name === part.name));
}

function sumOf(list: Expr, { parameters }: LambdaExpr, inner: Expr): Expr {
  const lambda: LambdaExpr = { kind: 'lambda', parameters, body: inner, type: INT64 };
  return { ...callOf('list_sum', [callOf('list_map', [list, lambda], arrayOf(INT64))], INT64), safe: true };
}

/** A sum without the parts that are NULL because their list is. */
function total(parts: readonly (Expr | null)[]): Expr | null {
  const known = parts.filter((part) => part !== null);
  if (known.length < 2) return known[0] ?? null;
  return known.map(orZero).reduce((sum, part) => callOf('safe_add', [sum, part], INT64));
}

function orZero(part: Expr): Expr {
  return part.kind === 'literal' ? part : callOf('coalesce', [part, literal(0n)], INT64);
}

function product(a: Expr, b: Expr): Expr {
  return callOf('safe_mul', [a, b], INT64);
}

function literal(value: bigint): LiteralExpr {
  return { kind: 'literal', type: INT64, value };
}
