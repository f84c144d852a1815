/** Functions of FLOAT64 and random values. NaN outside of the domain of a function, where DuckDB would fail. */
import type { MathOps } from '../../../../ir/operations/ops';
import { baseMath } from '../../../base/functions';
import type { CallPrinters, Operand } from '../../../dialect/dialect';
import { bindOnce } from '../../values/bind-once';

const NAN = "CAST('NaN' AS DOUBLE)";

export const math: CallPrinters<MathOps> = {
  ...baseMath,
  sin: within('sin', (x) => `NOT isfinite(${x})`),
  cos: within('cos', (x) => `NOT isfinite(${x})`),
  tan: within('tan', (x) => `NOT isfinite(${x})`),
  asin: within('asin', (x) => `NOT ${x} BETWEEN -1 AND 1`),
  acos: within('acos', (x) => `NOT ${x} BETWEEN -1 AND 1`),
  acosh: within('acosh', (x) => `${x} < 1`),
  atanh: within('atanh', (x) => `NOT ${x} BETWEEN -1 AND 1`),
  // DuckDB computes equal queries once: the number makes them differ, and is below all values.
  random: (_, { options }) => `greatest(random(), -${options.call})`,
  random_uuid: (_, { options }) => `coalesce(CAST(uuid() AS VARCHAR), '${options.call}')`,
};

function within(name: string, isOutside: (x: string) => string): (operands: readonly [Operand]) => string {
  return (operands) => bindOnce(operands, (x) => `(CASE WHEN ${isOutside(x)} THEN ${NAN} ELSE ${name}(${x}) END)`);
}
