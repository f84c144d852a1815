/** Trigonometric and hyperbolic functions, and the cube root. Stores may differ in the last digit. */
import { FLOAT64 } from '../../ir/types';
import type { MathOps, PlainOp } from '../../ir/operations/ops';
import { fixedFunction } from '../arguments';
import type { FunctionSpec } from '../function';

type Function = keyof MathOps & PlainOp;

export const trigonometry: readonly FunctionSpec[] = [
  ofOne('SIN', 'sin', 'Sine of an angle in radians.'),
  ofOne('COS', 'cos', 'Cosine of an angle in radians.'),
  ofOne('TAN', 'tan', 'Tangent of an angle in radians.'),
  ofOne('ASIN', 'asin', 'Angle in radians whose sine is the value.'),
  ofOne('ACOS', 'acos', 'Angle in radians whose cosine is the value.'),
  ofOne('ATAN', 'atan', 'Angle in radians whose tangent is the value.'),
  ofOne('SINH', 'sinh', 'Hyperbolic sine.'),
  ofOne('COSH', 'cosh', 'Hyperbolic cosine.'),
  ofOne('TANH', 'tanh', 'Hyperbolic tangent.'),
  ofOne('ASINH', 'asinh', 'Inverse hyperbolic sine.'),
  ofOne('ACOSH', 'acosh', 'Inverse hyperbolic cosine.'),
  ofOne('ATANH', 'atanh', 'Inverse hyperbolic tangent.'),
  ofOne('CBRT', 'cbrt', 'The cube root.'),
  fixedFunction({
    names: ['ATAN2'],
    fn: 'atan2',
    takes: [FLOAT64, FLOAT64],
    returns: FLOAT64,
    usage: 'ATAN2(y, x)',
    summary: 'Angle in radians of the point (x, y).',
  }),
];

function ofOne(name: string, fn: Function, summary: string): FunctionSpec {
  const usage = `${name}(value)`;
  return fixedFunction({ names: [name], fn, takes: [FLOAT64], returns: FLOAT64, usage, summary });
}
