/** Arithmetic and conditional functions. */
import { some } from '../../../../ir/walk/children';
import type { NumberOps } from '../../../../ir/operations/ops';
import { mayFail } from '../../../../ir/passes/conditions/may-fail';
import { constantInteger } from '../../../base/constants';
import { baseNumbers, named, nullWhere } from '../../../base/functions';
import { MAX_EXACT_DIGITS, roundedToFraction, roundedToTens, type RoundingForm } from '../../../base/rounding';
import type { CallPrinter, CallPrinters, Operand } from '../../../dialect/dialect';
import { bindOnce } from '../../values/bind-once';
import { unsignedZero } from '../../values/keys';
import { castTo, failsWhen } from '../../values/literals';
import { oneNaN, quotient, toInt } from '../operators';

export const numbers: CallPrinters<NumberOps> = {
  ...baseNumbers,
  coalesce: firstPresent,
  nullif: named('nullIf'),
  greatest: extreme('greatest'),
  least: extreme('least'),
  safe_divide: (operands, call, mayBeNaN) => quotient(operands, mayBeNaN(call)),
  ieee_divide: ([x, y], call, mayBeNaN) =>
    oneNaN(unsignedZero(`toFloat64(${x.sql}) / toFloat64(${y.sql})`), mayBeNaN(call)),
  // In 128 bits, because the smallest integer divided by -1 exceeds INT64.
  int_div: ([x, y], { safe }) => toInt(`intDivOrNull(toInt128(${x.sql}), ${y.sql})`, safe),
  abs: ([x], { type, safe }) => (type.kind === 'INT64' ? toInt(`abs(${x.sql})`, safe) : `abs(${x.sql})`),
  sign: (operands, call, mayBeNaN) => {
    const sign = (x: string): string => castTo(`sign(${x})`, call.type);
    if (!mayBeNaN(call)) return sign(operands[0].sql);
    return bindOnce(operands, (x) => `if(isNaN(${x}), ${x}, ${sign(x)})`);
  },
  ceil: ([x]) => unsignedZero(`ceil(toFloat64(${x.sql}))`),
  floor: ([x]) => `floor(toFloat64(${x.sql}))`,
  round: toDigits('round'),
  trunc: toDigits('trunc'),
  sqrt: defined('sqrt', (x) => `${x} < 0`),
  ln: defined('log', (x) => `${x} <= 0`),
  log10: defined('log10', (x) => `${x} <= 0`),
  safe_add: widened('+'),
  safe_sub: widened('-'),
  safe_mul: widened('*'),
  safe_neg: ([x], { type }) =>
    type.kind === 'INT64' ? `accurateCastOrNull(- toInt128(${x.sql}), 'Int64')` : `(0 - ${x.sql})`,
  safe_sqrt: nullWhere(bindOnce, '< 0', 'sqrt'),
  safe_ln: nullWhere(bindOnce, '<= 0', 'log'),
  safe_log10: nullWhere(bindOnce, '<= 0', 'log10'),
  is_nan: named('isNaN'),
  is_inf: named('isInfinite'),
  log: (operands) =>
    bindOnce(
      operands,
      (x, base) =>
        `(CASE WHEN ${failsWhen(`${x} <= 0 OR ${base} <= 0 OR ${base} = 1`, 'out_of_range')} THEN NULL ` +
        `WHEN isInfinite(${base}) THEN ${base} - ${base} ELSE log(${x}) / log(${base}) END)`
    ),
};

/** Operands up to this many characters are repeated by `firstPresent`. */
const LONGEST_REPEATED = 4000;

/**
 * ClickHouse's coalesce computes all operands, of which a later one may fail. Inside of a lambda, IF computes both of
 * its results, so that the operand is repeated instead of bound.
 */
function firstPresent([first, ...others]: readonly [Operand, ...Operand[]]): string {
  const [next, ...rest] = others;
  if (next === undefined) return first.sql;
  const isEager = first.sql.length > LONGEST_REPEATED || !others.some(({ expr }) => some(expr, mayFail));
  if (isEager) return named('coalesce')([first, ...others]);
  return `if(${first.sql} IS NOT NULL, ${first.sql}, ${firstPresent([next, ...rest])})`;
}

/** Rounds half away from zero; ClickHouse rounds half to even. @param x a short text, which is repeated */
export function roundHalfAway(x: string): string {
  return `(trunc(${x}) + if(abs(${x} - trunc(${x})) >= 0.5, sign(${x}), 0))`;
}

const FORM: RoundingForm = {
  number: (value) => `toFloat64('${value}')`,
  remainder: (a, b) => `(${a} % ${b})`,
  round: roundHalfAway,
};

function toDigits(mode: 'round' | 'trunc'): CallPrinter<'round' | 'trunc'> {
  const plain = mode === 'round' ? roundHalfAway : (x: string): string => `trunc(${x})`;
  return ([value, to]) => {
    if (to === undefined) return unsignedZero(bindOnce([value] as const, (x) => plain(`toFloat64(${x})`)));
    const known = constantInteger(to.expr);
    if (known !== undefined && known > 0n && known <= MAX_EXACT_DIGITS) {
      return unsignedZero(
        bindOnce([value] as const, (x) => roundedToFraction(`toFloat64(${x})`, FORM.number(`1e${known}`), mode, FORM))
      );
    }
    const rounded = bindOnce([value, to] as const, (given, digits) => {
      const x = `toFloat64(${given})`;
      const power = `pow(10., abs(toFloat64(${digits})))`;
      return (
        `(CASE WHEN ${given} IS NULL OR ${digits} IS NULL THEN NULL WHEN NOT isFinite(${x}) OR ${digits} > 300 THEN ${x} ` +
        `WHEN ${digits} < -308 THEN toFloat64(0) WHEN ${digits} > 0 THEN ${roundedToFraction(x, power, mode, FORM)} ` +
        `ELSE ${roundedToTens(x, power, mode, FORM)} END)`
      );
    });
    return unsignedZero(rounded);
  };
}

/** Computes with whole numbers in 128 bits; NULL beyond 64 bits. */
function widened(operator: '+' | '-' | '*'): CallPrinter<'safe_add' | 'safe_sub' | 'safe_mul'> {
  return ([x, y], call, mayBeNaN) =>
    call.type.kind === 'INT64'
      ? `accurateCastOrNull(toInt128(${x.sql}) ${operator} ${y.sql}, 'Int64')`
      : oneNaN(unsignedZero(`${x.sql} ${operator} ${y.sql}`), mayBeNaN(call));
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
