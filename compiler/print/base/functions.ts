/** Printers that both dialects use: plain calls, infix operators, and operations that are the same in standard SQL. */
import type { NumberOps, OperatorOps } from '../../ir/ops';
import type { CallPrinters, Operand } from '../dialect';

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
} satisfies Partial<CallPrinters<NumberOps>>;
