/** Arithmetic and conditional functions. */
import type { CallExpr } from '../../../ir/expression';
import { operands } from '../../bind-once';
import type { CallPrinter } from '../../dialect';
import { bindOnce } from '../bind-once';
import { castTo, failsWhen } from '../literals';
import { oneNaN, toInt, unsignedZero } from './operators';

export const numbers: Readonly<Record<string, CallPrinter>> = {
  coalesce: (args) => `coalesce(${args.join(', ')})`,
  nullif: ([x, y]) => `nullIf(${x}, ${y})`,
  greatest: (args, call, mayBeNaN) => extreme('greatest', args, call, mayBeNaN(call)),
  least: (args, call, mayBeNaN) => extreme('least', args, call, mayBeNaN(call)),
  safe_divide: ([x, y], call, mayBeNaN) =>
    oneNaN(unsignedZero(`toFloat64(${x}) / nullIf(toFloat64(${y}), 0)`), mayBeNaN(call)),
  ieee_divide: ([x, y], call, mayBeNaN) => oneNaN(unsignedZero(`toFloat64(${x}) / toFloat64(${y})`), mayBeNaN(call)),
  // In 128 bits, because the smallest integer divided by -1 exceeds INT64.
  int_div: ([x, y]) => toInt(`intDivOrNull(toInt128(${x}), ${y})`),
  abs: ([x], { type }) => (type.kind === 'INT64' ? toInt(`abs(${x})`) : `abs(${x})`),
  sign: (args, call, mayBeNaN) => {
    const sign = (x: string): string => castTo(`sign(${x})`, call.type);
    if (!mayBeNaN(call)) return sign(String(args[0]));
    return bindOnce(operands(args, call.args), (x = '') => `if(isNaN(${x}), ${x}, ${sign(x)})`);
  },
  ceil: ([x]) => unsignedZero(`ceil(toFloat64(${x}))`),
  floor: ([x]) => `floor(toFloat64(${x}))`,
  round: (args, call) => unsignedZero(toDigits(args, call, roundHalfAway)),
  trunc: (args, call) => unsignedZero(toDigits(args, call, (x) => `trunc(${x})`)),
  sqrt: (args, call) => defined(args, call, (x) => `${x} < 0`, `sqrt`),
  power: ([x, y]) => `pow(${x}, ${y})`,
  exp: ([x]) => `exp(${x})`,
  ln: (args, call) => defined(args, call, (x) => `${x} <= 0`, 'log'),
  log10: (args, call) => defined(args, call, (x) => `${x} <= 0`, 'log10'),
  is_nan: ([x]) => `isNaN(${x})`,
  is_inf: ([x]) => `isInfinite(${x})`,
  log: (args, { args: exprs }) =>
    bindOnce(
      operands(args, exprs),
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
function toDigits(args: readonly string[], { args: exprs }: CallExpr, round: (x: string) => string): string {
  if (exprs.length === 1) return bindOnce(operands(args, exprs), (x) => round(`toFloat64(${x})`));
  return bindOnce(operands(args, exprs), (x, digits) => {
    const power = `pow(10., least(abs(toFloat64(${digits})), 400))`;
    const scaled = round(`(toFloat64(${x}) * ${power})`);
    const divided = round(`(toFloat64(${x}) / ${power})`);
    return (
      `(CASE WHEN ${x} IS NULL OR ${digits} IS NULL THEN NULL WHEN NOT isFinite(${x}) THEN toFloat64(${x}) ` +
      `WHEN ${digits} < 0 THEN if(isFinite(${divided} * ${power}), ${divided} * ${power}, 0) ` +
      `WHEN isFinite(${scaled} / ${power}) THEN ${scaled} / ${power} ELSE toFloat64(${x}) END)`
    );
  });
}

function defined(
  args: readonly string[],
  { args: exprs }: CallExpr,
  isOutside: (x: string) => string,
  name: string
): string {
  return bindOnce(
    operands(args, exprs),
    (x) => `(CASE WHEN ${failsWhen(isOutside(String(x)), 'out_of_range')} THEN NULL ELSE ${name}(${x}) END)`
  );
}

/** NULL when any argument is NULL, NaN when any is NaN. */
function extreme(
  name: 'greatest' | 'least',
  args: readonly string[],
  { args: exprs }: CallExpr,
  mayBeNaN: boolean
): string {
  return bindOnce(operands(args, exprs), (...names) => {
    const missing = names.map((n) => `${n} IS NULL`).join(' OR ');
    const odd = names.map((n) => `isNaN(${n})`).join(' OR ');
    const nan = mayBeNaN ? ` WHEN ${odd} THEN toFloat64('nan')` : '';
    return `(CASE WHEN ${missing} THEN NULL${nan} ELSE ${name}(${names.join(', ')}) END)`;
  });
}
