/** Random values. ClickHouse computes a call once for a list unless an argument depends on the element. */
import { isCall } from '../../ir/operations/call';
import { some } from '../../ir/walk/children';
import type { CallExpr, Expr } from '../../ir/expression';

/** A random value for each combination of elements. @param elements names of elements around the call */
export function randomOf(call: CallExpr<'random' | 'random_uuid'>, elements: readonly string[]): string {
  const print = isCall(call, 'random') ? random : randomUuid;
  return print(`tuple(${[call.options.call, ...elements].join(', ')})`);
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
