/** Functions of FLOAT64 and random values. NaN outside of the domain of a function, where DuckDB would fail. */
import type { MathOps } from '../../../../ir/ops';
import { named } from '../../../base/functions';
import type { CallPrinters, Operand } from '../../../dialect';
import { bindOnce } from '../../bind-once';

const NAN = "CAST('NaN' AS DOUBLE)";

export const math: CallPrinters<MathOps> = {
  sin: within('sin', (x) => `NOT isfinite(${x})`),
  cos: within('cos', (x) => `NOT isfinite(${x})`),
  tan: within('tan', (x) => `NOT isfinite(${x})`),
  asin: within('asin', (x) => `NOT ${x} BETWEEN -1 AND 1`),
  acos: within('acos', (x) => `NOT ${x} BETWEEN -1 AND 1`),
  atan: named('atan'),
  atan2: named('atan2'),
  sinh: named('sinh'),
  cosh: named('cosh'),
  tanh: named('tanh'),
  asinh: named('asinh'),
  acosh: within('acosh', (x) => `${x} < 1`),
  atanh: within('atanh', (x) => `NOT ${x} BETWEEN -1 AND 1`),
  cbrt: named('cbrt'),
  random: () => 'random()',
  random_uuid: () => 'CAST(uuid() AS VARCHAR)',
};

function within(name: string, isOutside: (x: string) => string): (operands: readonly [Operand]) => string {
  return (operands) => bindOnce(operands, (x) => `(CASE WHEN ${isOutside(x)} THEN ${NAN} ELSE ${name}(${x}) END)`);
}
