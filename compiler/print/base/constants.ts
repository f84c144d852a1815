/** What is known of an operand when the query is compiled. */
import { type Constant, constantOf } from '../../ir/constant';
import { isConstant } from '../../ir/operations/call';
import type { Expr } from '../../ir/expression';

function valueOf(expr: Expr | undefined): Constant | undefined {
  return expr && constantOf(expr)?.value;
}

/** A known text or NULL; undefined for anything else. */
export function constantText(expr: Expr | undefined): string | null | undefined {
  const value = valueOf(expr);
  return typeof value === 'string' || value === null ? value : undefined;
}

/** A known integer; undefined for anything else. */
export function constantInteger(expr: Expr | undefined): bigint | undefined {
  const value = valueOf(expr);
  return typeof value === 'bigint' ? value : undefined;
}

/** Known to be an integer of at least zero. */
export function isKnownCount(expr: Expr | undefined): boolean {
  return (constantInteger(expr) ?? -1n) >= 0n;
}

export function isKnownNull(expr: Expr): boolean {
  return valueOf(expr) === null;
}

export function isKnownPresent(expr: Expr): boolean {
  return expr.kind === 'now' || (valueOf(expr) ?? null) !== null;
}

/** Whether a divisor may be -1: dividing the smallest integer by -1 overflows. */
export function mayBeMinusOne(expr: Expr): boolean {
  return isConstant(expr) ? valueOf(expr) === -1n : true;
}

/** As both stores read it: String(-0) would be "0". */
export function floatDigits(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
