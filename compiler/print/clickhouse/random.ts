/** Random values. ClickHouse computes a call once for a list unless an argument depends on the element. */
import { isCall } from '../../ir/call';
import { some } from '../../ir/children';
import type { Expr } from '../../ir/expression';

/** A random value for each element. @param element name of the element; undefined for any other expression */
export function randomOf(expr: Expr, element: string): string | undefined {
  if (isCall(expr, 'random')) return random(`tuple(${expr.options.call}, ${element})`);
  return isCall(expr, 'random_uuid') ? randomUuid(`tuple(${expr.options.call}, ${element})`) : undefined;
}

/** Whether an expression has another value each time it is evaluated. */
export function isVolatile(expr: Expr): boolean {
  return some(expr, (part) => isCall(part, 'random', 'random_uuid'));
}

/** @param call makes its values different from those of other calls, as equal calls are computed once */
export function random(call: string): string {
  return `toNullable(randCanonical(${call}))`;
}

export function randomUuid(call: string): string {
  return `toNullable(toString(generateUUIDv4(${call})))`;
}
