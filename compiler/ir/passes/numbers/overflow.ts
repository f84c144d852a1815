/**
 * Arithmetic on FLOAT64 that can overflow. GoogleSQL fails where finite numbers make infinity or NaN. One test of the
 * outermost result covers the operations inside of it, since infinity and NaN stay what they are.
 */
import type { CallExpr, Expr } from '../../expression';
import type { OpName } from '../../operations/ops';

/** Operands whose overflow shows in the result: for a division the dividend only. */
const INSIDE: Readonly<Partial<Record<OpName, readonly number[]>>> = {
  add: [0, 1],
  sub: [0, 1],
  mul: [0, 1],
  neg: [0],
  divide: [0],
};

/** Operations whose overflow gives NULL. */
const SAFE: ReadonlySet<OpName> = new Set<OpName>([
  'safe_add',
  'safe_sub',
  'safe_mul',
  'safe_divide',
  'safe_exp',
  'safe_power',
]);

/** Operations on numbers that are tested themselves. */
const OUTERMOST: ReadonlySet<OpName> = new Set<OpName>([
  ...SAFE,
  'exp',
  'power',
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'sinh',
  'cosh',
  'acosh',
  'atanh',
]);

export function isArithmetic(expr: Expr): expr is CallExpr {
  if (expr.kind !== 'call' || expr.type.kind !== 'FLOAT64') return false;
  return expr.fn in INSIDE || OUTERMOST.has(expr.fn) || roundsToTens(expr);
}

/** Rounding to tens may exceed the largest number. */
function roundsToTens({ fn, args }: CallExpr): boolean {
  const [, digits] = args;
  if (fn !== 'round' || digits === undefined) return false;
  return !(digits.kind === 'literal' && digits.value !== null && Number(digits.value) >= 0);
}

/** Operand number `index`, if it is arithmetic that the test of `call` covers. */
export function innerArithmetic(call: CallExpr, index: number): CallExpr | undefined {
  const operand = call.args[index];
  if (operand === undefined || !isArithmetic(operand) || !(INSIDE[call.fn]?.includes(index) ?? false)) return undefined;
  return operand.fn in INSIDE && operand.safe === call.safe ? operand : undefined;
}

/** Operands of the arithmetic that are not arithmetic that its test covers, left to right. */
export function leavesOf(call: CallExpr): readonly Expr[] {
  return call.args.flatMap((operand, index) => {
    const inner = innerArithmetic(call, index);
    return inner === undefined ? [operand] : leavesOf(inner);
  });
}

/** Whether an overflow gives NULL. */
export function isSafe({ fn, safe }: CallExpr): boolean {
  return safe === true || SAFE.has(fn);
}
