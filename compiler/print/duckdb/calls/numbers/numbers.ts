/** Arithmetic and conditional functions. */
import type { NumberOps } from '../../../../ir/operations/ops';
import { constantInteger } from '../../../base/constants';
import { baseNumbers, infix, named, nullWhere } from '../../../base/functions';
import { MAX_EXACT_DIGITS, roundedToFraction, roundedToTens, type RoundingForm } from '../../../base/rounding';
import { bindLong } from '../../../dialect/bind-once';
import type { CallPrinter, CallPrinters } from '../../../dialect/dialect';
import { bindOnce } from '../../values/bind-once';
import { raise, typeName } from '../../values/literals';
import { asDouble, equal, quotient } from '../operators';

export const numbers: CallPrinters<NumberOps> = {
  ...baseNumbers,
  nullif: (operands, { args }, mayBeNaN) => {
    // Not DuckDB's nullif, a macro that has its operand twice: nested ones would take time that doubles with each.
    if (!args.every(mayBeNaN))
      return bindLong(operands, bindOnce, (x, y) => `(CASE WHEN ${x} = ${y} THEN NULL ELSE ${x} END)`);
    return bindOnce(operands, (x, y) => `(CASE WHEN ${equal(x, y)} THEN NULL ELSE ${x} END)`);
  },
  greatest: extreme('greatest'),
  least: extreme('least'),
  safe_divide: quotient,
  ieee_divide: ([x, y]) => `(${asDouble(x)} / ${asDouble(y)})`,
  int_div: (operands, { safe }) => {
    if (safe !== true) return infix('//')(operands);
    const [x, y] = operands;
    return `TRY_CAST(CAST(${x.sql} AS HUGEINT) // CAST(${y.sql} AS HUGEINT) AS BIGINT)`;
  },
  abs: (operands, { type, safe }) => {
    if (safe !== true || type.kind !== 'INT64') return named('abs')(operands);
    return `TRY_CAST(abs(CAST(${operands[0].sql} AS HUGEINT)) AS BIGINT)`;
  },
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
  safe_add: widened('+'),
  safe_sub: widened('-'),
  safe_mul: widened('*'),
  safe_neg: ([x], { type }) =>
    type.kind === 'INT64' ? `TRY_CAST(- CAST(${x.sql} AS HUGEINT) AS BIGINT)` : `(- ${x.sql})`,
  safe_sqrt: nullWhere(bindOnce, '< 0', 'sqrt'),
  safe_ln: nullWhere(bindOnce, '<= 0', 'ln'),
  safe_log10: nullWhere(bindOnce, '<= 0', 'log10'),
  is_nan: named('isnan'),
  is_inf: named('isinf'),
  // As the reference computes it: log(10, 1000) would differ in the last digit.
  log: (operands, { safe }) =>
    bindOnce(operands, (x, base) => {
      const quotient = `(CASE WHEN isinf(${base}) THEN ${base} - ${base} ELSE ln(${x}) / ln(${base}) END)`;
      if (safe !== true) return `(CASE WHEN ${base} = 1 THEN ${raise('out_of_range')} ELSE ${quotient} END)`;
      return `(CASE WHEN ${x} <= 0 OR ${base} <= 0 OR ${base} = 1 THEN NULL ELSE ${quotient} END)`;
    }),
};

const FORM: RoundingForm = {
  number: (value) => `CAST('${value}' AS DOUBLE)`,
  remainder: (a, b) => `(${a} % ${b})`,
  round: (x) => `round(${x})`,
};

function toDigits(mode: 'round' | 'trunc'): CallPrinter<'round' | 'trunc'> {
  return ([value, digits]) => {
    if (digits === undefined) return `${mode}(${value.sql})`;
    const known = constantInteger(digits.expr);
    if (known !== undefined && known > 0n && known <= MAX_EXACT_DIGITS) {
      return bindOnce([value] as const, (x) => roundedToFraction(x, FORM.number(`1e${known}`), mode, FORM));
    }
    const rounded = bindOnce([value, digits] as const, (x, to) => {
      const power = `pow(CAST('10' AS DOUBLE), abs(${to}))`;
      return (
        `(CASE WHEN ${to} IS NULL THEN NULL WHEN NOT isfinite(${x}) OR ${to} > 300 THEN ${x} ` +
        `WHEN ${to} < -308 THEN CAST('0' AS DOUBLE) WHEN ${to} > 0 THEN ${roundedToFraction(x, power, mode, FORM)} ` +
        `ELSE ${roundedToTens(x, power, mode, FORM)} END)`
      );
    });
    return rounded;
  };
}

/** Computes with whole numbers in 128 bits; NULL beyond 64 bits. */
function widened(operator: '+' | '-' | '*'): CallPrinter<'safe_add' | 'safe_sub' | 'safe_mul'> {
  return ([x, y], { type }) =>
    type.kind === 'INT64'
      ? `TRY_CAST(CAST(${x.sql} AS HUGEINT) ${operator} CAST(${y.sql} AS HUGEINT) AS BIGINT)`
      : `(${x.sql} ${operator} ${y.sql})`;
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
