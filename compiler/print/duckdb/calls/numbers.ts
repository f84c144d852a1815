/** Arithmetic and conditional functions. */
import type { CallExpr } from '../../../ir/expression';
import type { CallPrinter } from '../../dialect';
import { operands } from '../../bind-once';
import { bindOnce } from '../bind-once';
import { typeName } from '../literals';
import { asDouble, equal } from './operators';

export const numbers: Readonly<Record<string, CallPrinter>> = {
  coalesce: (args) => `coalesce(${args.join(', ')})`,
  nullif: (args, { args: exprs }, mayBeNaN) => {
    if (!exprs.every(mayBeNaN)) return `nullif(${args.join(', ')})`;
    return bindOnce(operands(args, exprs), (x = '', y = '') => `(CASE WHEN ${equal(x, y)} THEN NULL ELSE ${x} END)`);
  },
  greatest: (args, call, mayBeNaN) => extreme('greatest', args, call, mayBeNaN(call)),
  least: (args, call, mayBeNaN) => extreme('least', args, call, mayBeNaN(call)),
  safe_divide: (args, { args: [x, y] }) =>
    `(${asDouble(args[0], x)} / nullif(${asDouble(args[1], y)}, CAST('0' AS DOUBLE)))`,
  ieee_divide: (args, { args: [x, y] }) => `(${asDouble(args[0], x)} / ${asDouble(args[1], y)})`,
  int_div: ([x, y]) => `(${x} // ${y})`,
  abs: ([x]) => `abs(${x})`,
  sign: (args, call, mayBeNaN) => {
    const sign = (x: string): string => `CAST(sign(${x}) AS ${typeName(call.type)})`;
    if (!mayBeNaN(call)) return sign(String(args[0]));
    return bindOnce(operands(args, call.args), (x = '') => `(CASE WHEN isnan(${x}) THEN ${x} ELSE ${sign(x)} END)`);
  },
  ceil: ([x]) => `ceil(${x})`,
  floor: ([x]) => `floor(${x})`,
  round: (args, call) => toDigits('round', args, call),
  trunc: (args, call) => toDigits('trunc', args, call),
  sqrt: ([x]) => `sqrt(${x})`,
  power: ([x, y]) => `pow(${x}, ${y})`,
  exp: ([x]) => `exp(${x})`,
  ln: ([x]) => `ln(${x})`,
  log10: ([x]) => `log10(${x})`,
  is_nan: ([x]) => `isnan(${x})`,
  is_inf: ([x]) => `isinf(${x})`,
  log: ([x, base]) => `log(${base}, ${x})`,
};

/** When digits before the point are rounded, DuckDB returns zero for infinity and NaN. */
function toDigits(name: 'round' | 'trunc', args: readonly string[], { args: exprs }: CallExpr): string {
  if (args.length === 1) return `${name}(${args[0]})`;
  const digits = exprs[1];
  const known = digits?.kind === 'literal' ? digits.value : digits?.kind === 'bound' ? digits.value.value : null;
  const rounded = (x: string, to: string): string => `${name}(${x}, ${decimals(to)})`;
  if (typeof known === 'bigint' && known >= 0n) return rounded(String(args[0]), String(args[1]));
  return bindOnce(
    operands(args, exprs),
    (x = '', to = '') => `(CASE WHEN ${to} IS NULL THEN NULL WHEN isfinite(${x}) THEN ${rounded(x, to)} ELSE ${x} END)`
  );
}

/** DuckDB takes the number of digits as INTEGER; beyond those of a DOUBLE they have no effect. */
function decimals(digits: string): string {
  return `CAST(greatest(least(${digits}, 400), -400) AS INTEGER)`;
}

/** NULL when any argument is NULL, NaN when any is NaN. DuckDB skips NULL and sorts NaN above all numbers. */
function extreme(
  name: 'greatest' | 'least',
  args: readonly string[],
  { args: exprs }: CallExpr,
  mayBeNaN: boolean
): string {
  return bindOnce(operands(args, exprs), (...names) => {
    const missing = names.map((n) => `${n} IS NULL`).join(' OR ');
    const odd = names.map((n) => `isnan(${n})`).join(' OR ');
    const nan = name === 'least' && mayBeNaN ? ` WHEN ${odd} THEN CAST('NaN' AS DOUBLE)` : '';
    return `(CASE WHEN ${missing} THEN NULL${nan} ELSE ${name}(${names.join(', ')}) END)`;
  });
}
