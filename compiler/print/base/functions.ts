/** Printers that both dialects use: plain calls, infix operators, and operations that are the same in standard SQL. */
import type { MathOps, NumberOps, OperatorOps } from '../../ir/operations/ops';
import type { BindOnce } from '../dialect/bind-once';
import type { CallPrinters, Operand } from '../dialect/dialect';

type Printer = (operands: readonly (Operand | undefined)[]) => string;

/** `a, b, c` */
export function list(operands: readonly (Operand | undefined)[]): string {
  return sqlOf(operands).join(', ');
}

export function sqlOf(operands: readonly (Operand | undefined)[]): readonly string[] {
  return operands.filter((operand) => operand !== undefined).map(({ sql }) => sql);
}

/** `name(a, b)` */
export function named(name: string): Printer {
  return (operands) => `${name}(${list(operands)})`;
}

/** `(a operator b)`, for any number of operands */
export function infix(operator: string): Printer {
  return (operands) => `(${sqlOf(operands).join(` ${operator} `)})`;
}

/** A chain of one operator as a balanced tree: stores refuse expressions deeper than 1,000. */
export function balanced(texts: readonly string[], operator: string): string {
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return only;
  const middle = texts.length >> 1;
  return `(${balanced(texts.slice(0, middle), operator)} ${operator} ${balanced(texts.slice(middle), operator)})`;
}

/** `(a test)` */
export function suffix(test: string): Printer {
  return (operands) => `(${list(operands)} ${test})`;
}

export const baseOperators = {
  and: infix('AND'),
  or: infix('OR'),
  not: (operands) => `(NOT ${list(operands)})`,
  is_null: suffix('IS NULL'),
  is_not_null: suffix('IS NOT NULL'),
} satisfies Partial<CallPrinters<OperatorOps>>;

export const baseNumbers = {
  coalesce: named('coalesce'),
  power: named('pow'),
  exp: named('exp'),
  safe_exp: named('exp'),
  safe_power: named('pow'),
} satisfies Partial<CallPrinters<NumberOps>>;

export const baseMath = {
  atan: named('atan'),
  atan2: named('atan2'),
  sinh: named('sinh'),
  cosh: named('cosh'),
  tanh: named('tanh'),
  asinh: named('asinh'),
  cbrt: named('cbrt'),
} satisfies Partial<CallPrinters<MathOps>>;

/** A function, or NULL where its operand is outside of its domain. @param isOutside ` < 0` */
export function nullWhere(
  bindOnce: BindOnce,
  isOutside: string,
  name: string
): (operands: readonly [Operand]) => string {
  return (operands) => bindOnce(operands, (x) => `(CASE WHEN NOT (${x} ${isOutside}) THEN ${name}(${x}) END)`);
}
