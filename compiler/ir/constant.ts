/** Values that are known when a query is compiled. */
import type { Expr, LiteralExpr } from './expression';

export type Constant = LiteralExpr['value'];

/**
 * Value of a literal or of a bound parameter; undefined for any other expression. A parameter that failed to convert
 * has no value: its error is thrown where it is printed.
 */
export function constantOf(expr: Expr): { readonly value: Constant } | undefined {
  if (expr.kind === 'literal') return { value: expr.value };
  if (expr.kind === 'bound' && expr.failure === null) return { value: expr.value.value };
  return undefined;
}
