/** Trigonometric and hyperbolic functions, and the cube root. Stores may differ in the last digit. */
import { FLOAT64 } from '../../ir/types';
import type { MathOps, PlainOp } from '../../ir/ops';
import { fixedFunction } from '../arguments';
import type { FunctionSpec } from '../function';

type Function = keyof MathOps & PlainOp;

export const trigonometry: readonly FunctionSpec[] = [
  ofOne('SIN', 'sin', 'Sine of an angle in radians.', ['SIN(0)', '0']),
  ofOne('COS', 'cos', 'Cosine of an angle in radians.', ['COS(0)', '1']),
  ofOne('TAN', 'tan', 'Tangent of an angle in radians.', ['TAN(0)', '0']),
  ofOne('ASIN', 'asin', 'Angle in radians whose sine is the value.', ['ASIN(0)', '0']),
  ofOne('ACOS', 'acos', 'Angle in radians whose cosine is the value.', ['ACOS(1)', '0']),
  ofOne('ATAN', 'atan', 'Angle in radians whose tangent is the value.', ['ATAN(0)', '0']),
  ofOne('SINH', 'sinh', 'Hyperbolic sine.', ['SINH(0)', '0']),
  ofOne('COSH', 'cosh', 'Hyperbolic cosine.', ['COSH(0)', '1']),
  ofOne('TANH', 'tanh', 'Hyperbolic tangent.', ['TANH(0)', '0']),
  ofOne('ASINH', 'asinh', 'Inverse hyperbolic sine.', ['ASINH(0)', '0']),
  ofOne('ACOSH', 'acosh', 'Inverse hyperbolic cosine.', ['ACOSH(1)', '0']),
  ofOne('ATANH', 'atanh', 'Inverse hyperbolic tangent.', ['ATANH(0)', '0']),
  ofOne('CBRT', 'cbrt', 'The cube root.', ['CBRT(-8)', '-2']),
  fixedFunction({
    names: ['ATAN2'],
    fn: 'atan2',
    takes: [FLOAT64, FLOAT64],
    returns: FLOAT64,
    usage: 'ATAN2(y, x)',
    summary: 'Angle in radians of the point (x, y).',
    types: '(FLOAT64, FLOAT64) → FLOAT64',
    example: { text: 'ATAN2(0, 1)', gives: '0' },
  }),
];

function ofOne(
  name: string,
  fn: Function,
  summary: string,
  [text, gives]: readonly [text: string, gives: string]
): FunctionSpec {
  const usage = `${name}(value)`;
  const example = { text, gives };
  const types = '(FLOAT64) → FLOAT64';
  return fixedFunction({ names: [name], fn, takes: [FLOAT64], returns: FLOAT64, usage, summary, types, example });
}
