/** Arithmetic and conditional functions. */
import type { NumberOps } from '../../../ir/ops';
import { baseNumbers, named } from '../../base/functions';
import type { CallPrinter, CallPrinters } from '../../dialect';
import { bindOnce } from '../bind-once';
import { castTo, failsWhen } from '../literals';
import { oneNaN, quotient, toInt, unsignedZero } from './operators';

export const numbers: CallPrinters<NumberOps> = {
  ...baseNumbers,
  nullif: named('nullIf'),
  greatest: extreme('greatest'),
  least: extreme('least'),
  safe_divide: (operands, call, mayBeNaN) => quotient(operands, mayBeNaN(call)),
  ieee_divide: ([x, y], call, mayBeNaN) =>
    oneNaN(unsignedZero(`toFloat64(${x.sql}) / toFloat64(${y.sql})`), mayBeNaN(call)),
  // In 128 bits, because the smallest integer divided by -1 exceeds INT64.
  int_div: ([x, y]) => toInt(`intDivOrNull(toInt128(${x.sql}), ${y.sql})`),
  abs: ([x], { type }) => (type.kind === 'INT64' ? toInt(`abs(${x.sql})`) : `abs(${x.sql})`),
  sign: (operands, call, mayBeNaN) => {
    const sign = (x: string): string => castTo(`sign(${x})`, call.type);
    if (!mayBeNaN(call)) return sign(operands[0].sql);
    return bindOnce(operands, (x) => `if(isNaN(${x}), ${x}, ${sign(x)})`);
  },
  ceil: ([x]) => unsignedZero(`ceil(toFloat64(${x.sql}))`),
  floor: ([x]) => `floor(toFloat64(${x.sql}))`,
  round: toDigits(roundHalfAway),
  trunc: toDigits((x) => `trunc(${x})`),
  sqrt: defined('sqrt', (x) => `${x} < 0`),
  ln: defined('log', (x) => `${x} <= 0`),
  log10: defined('log10', (x) => `${x} <= 0`),
  is_nan: named('isNaN'),
  is_inf: named('isInfinite'),
  log: (operands) =>
    bindOnce(
      operands,
      (x, base) =>
        `(CASE WHEN ${failsWhen(`${x} <= 0 OR ${base} <= 0 OR ${base} = 1`, 'out_of_range')} THEN NULL ` +
        `ELSE log10(${x}) / log10(${base}) END)`
    ),
};

/** Rounds half away from zero; ClickHouse rounds half to even. @param x a short text, which is repeated */
export function roundHalfAway(x: string): string {
  return `(trunc(${x}) + if(abs(${x} - trunc(${x})) >= 0.5, sign(${x}), 0))`;
}

/** Rounds to digits by scaling with a power of ten, limited to the range of FLOAT64. */
function toDigits(round: (x: string) => string): CallPrinter<'round' | 'trunc'> {
  return ([value, to]) => {
    if (to === undefined) return unsignedZero(bindOnce([value] as const, (x) => round(`toFloat64(${x})`)));
    const rounded = bindOnce([value, to] as const, (x, digits) => {
      const power = `pow(10., least(abs(toFloat64(${digits})), 400))`;
      const scaled = round(`(toFloat64(${x}) * ${power})`);
      const divided = round(`(toFloat64(${x}) / ${power})`);
      return (
        `(CASE WHEN ${x} IS NULL OR ${digits} IS NULL THEN NULL WHEN NOT isFinite(${x}) THEN toFloat64(${x}) ` +
        `WHEN ${digits} < 0 THEN if(isFinite(${divided} * ${power}), ${divided} * ${power}, 0) ` +
        `WHEN isFinite(${scaled} / ${power}) THEN ${scaled} / ${power} ELSE toFloat64(${x}) END)`
      );
    });
    return unsignedZero(rounded);
  };
}

/** A function that fails outside of its domain. */
function defined(name: string, isOutside: (x: string) => string): CallPrinter<'sqrt' | 'ln' | 'log10'> {
  return (operands) =>
    bindOnce(
      operands,
      (x) => `(CASE WHEN ${failsWhen(isOutside(x), 'out_of_range')} THEN NULL ELSE ${name}(${x}) END)`
    );
}

/** NULL when any argument is NULL, NaN when any is NaN. */
function extreme(name: 'greatest' | 'least'): CallPrinter<'greatest' | 'least'> {
  return (operands, call, mayBeNaN) =>
    bindOnce(operands, (...names) => {
      const missing = names.map((n) => `${n} IS NULL`).join(' OR ');
      const odd = names.map((n) => `isNaN(${n})`).join(' OR ');
      const nan = mayBeNaN(call) ? ` WHEN ${odd} THEN toFloat64('nan')` : '';
      return `(CASE WHEN ${missing} THEN NULL${nan} ELSE ${name}(${names.join(', ')}) END)`;
    });
}
