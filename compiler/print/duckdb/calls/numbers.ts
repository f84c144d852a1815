/** Arithmetic and conditional functions. */
import type { NumberOps } from '../../../ir/ops';
import { constantInteger } from '../../base/constants';
import { baseNumbers, infix, named } from '../../base/functions';
import type { CallPrinter, CallPrinters } from '../../dialect';
import { bindOnce } from '../bind-once';
import { typeName } from '../literals';
import { asDouble, equal, quotient } from './operators';

export const numbers: CallPrinters<NumberOps> = {
  ...baseNumbers,
  nullif: (operands, { args }, mayBeNaN) => {
    if (!args.every(mayBeNaN)) return named('nullif')(operands);
    return bindOnce(operands, (x, y) => `(CASE WHEN ${equal(x, y)} THEN NULL ELSE ${x} END)`);
  },
  greatest: extreme('greatest'),
  least: extreme('least'),
  safe_divide: quotient,
  ieee_divide: ([x, y]) => `(${asDouble(x)} / ${asDouble(y)})`,
  int_div: infix('//'),
  abs: named('abs'),
  sign: (operands, call, mayBeNaN) => {
    const sign = (x: string): string => `CAST(sign(${x}) AS ${typeName(call.type)})`;
    if (!mayBeNaN(call)) return sign(operands[0].sql);
    return bindOnce(operands, (x) => `(CASE WHEN isnan(${x}) THEN ${x} ELSE ${sign(x)} END)`);
  },
  ceil: named('ceil'),
  floor: named('floor'),
  round: toDigits('round'),
  trunc: toDigits('trunc'),
  sqrt: named('sqrt'),
  ln: named('ln'),
  log10: named('log10'),
  is_nan: named('isnan'),
  is_inf: named('isinf'),
  log: ([x, base]) => `log(${base.sql}, ${x.sql})`,
};

/** When digits before the point are rounded, DuckDB returns zero for infinity and NaN. */
function toDigits(name: 'round' | 'trunc'): CallPrinter<'round' | 'trunc'> {
  return ([value, digits]) => {
    if (digits === undefined) return `${name}(${value.sql})`;
    const rounded = (x: string, to: string): string => `${name}(${x}, ${decimals(to)})`;
    if ((constantInteger(digits.expr) ?? -1n) >= 0n) return rounded(value.sql, digits.sql);
    return bindOnce(
      [value, digits] as const,
      (x, to) => `(CASE WHEN ${to} IS NULL THEN NULL WHEN isfinite(${x}) THEN ${rounded(x, to)} ELSE ${x} END)`
    );
  };
}

/** DuckDB takes the number of digits as INTEGER; beyond those of a DOUBLE they have no effect. */
function decimals(digits: string): string {
  return `CAST(greatest(least(${digits}, 400), -400) AS INTEGER)`;
}

/** NULL when any argument is NULL, NaN when any is NaN. DuckDB skips NULL and sorts NaN above all numbers. */
function extreme(name: 'greatest' | 'least'): CallPrinter<'greatest' | 'least'> {
  return (operands, call, mayBeNaN) =>
    bindOnce(operands, (...names) => {
      const missing = names.map((n) => `${n} IS NULL`).join(' OR ');
      const odd = names.map((n) => `isnan(${n})`).join(' OR ');
      const nan = name === 'least' && mayBeNaN(call) ? ` WHEN ${odd} THEN CAST('NaN' AS DOUBLE)` : '';
      return `(CASE WHEN ${missing} THEN NULL${nan} ELSE ${name}(${names.join(', ')}) END)`;
    });
}
