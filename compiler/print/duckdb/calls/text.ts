/** Text functions. Lengths and positions count characters; calls that can enlarge a text are bounded for each row. */
import type { CallExpr } from '../../../ir/expression';
import type { CallPrinter } from '../../dialect';
import { MAX_PARTS, MAX_TEXT_BYTES, MAX_TEXT_GROWTH_BYTES } from '../../../functions/limits';
import { isAscii } from '../../../functions/text/ascii';
import { constantText, isConstant, operands, type Operand } from '../../bind-once';
import { tooLong } from '../../text-growth';
import { bindOnce } from '../bind-once';
import { quoteText, raise } from '../literals';
import { lower, lowerEach, upper } from './letter-case';

/** Default characters of TRIM: Unicode white space. */
const WHITE_SPACE =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

export const text: Readonly<Record<string, CallPrinter>> = {
  lower: (args, { args: exprs }) => bindOnce(operands(args, exprs), (x) => lower(String(x))),
  upper: (args, { args: exprs }) => bindOnce(operands(args, exprs), (x) => upper(String(x))),
  reverse: (args, { args: exprs }) =>
    // DuckDB does not separate the characters of a grapheme cluster.
    bindOnce(
      operands(args, exprs),
      (x) =>
        `(CASE WHEN strlen(${x}) = length(${x}) THEN reverse(${x}) ` +
        `ELSE array_to_string(list_reverse(string_split(${x}, '')), '') END)`
    ),
  length: ([x]) => `length(${x})`,
  byte_length: ([x]) => `strlen(${x})`,
  starts_with: ([x, prefix]) => `starts_with(${x}, ${prefix})`,
  ends_with: ([x, suffix]) => `ends_with(${x}, ${suffix})`,
  contains: ([x, part]) => `contains(${x}, ${part})`,
  contains_substr: (args, { args: exprs }) => {
    const [text, part] = operands(args, exprs) as [Operand, Operand];
    const known = constantText(part.expr);
    // An ASCII text is found equally with DuckDB's lower(), whatever it makes of other letters.
    if (typeof known === 'string' && isAscii(known)) return `contains(lower(${text.sql}), lower(${part.sql}))`;
    return bindOnce([text, part], (x, y) => `contains(${lowerEach(String(x))}, ${lowerEach(String(y))})`);
  },
  strpos: ([x, part]) => `strpos(${x}, ${part})`,
  trim: trimmed('trim'),
  trim_start: trimmed('ltrim'),
  trim_end: trimmed('rtrim'),
  split: (args, { args: exprs }) => {
    // DuckDB returns the whole text for an empty separator.
    return bindOnce(
      operands(args, exprs),
      (x, by) =>
        `(CASE WHEN strlen(${x}) >= ${MAX_PARTS} AND (CASE WHEN ${by} = '' THEN length(${x}) - 1 ELSE ${occurrences(x, by)} END) >= ${MAX_PARTS} ` +
        `THEN ${raise('too_many_parts')} WHEN ${by} IS NOT NULL THEN string_split(${x}, ${by}) END)`
    );
  },
  left: (args, call) => taken('left', args, call),
  right: (args, call) => taken('right', args, call),
  substr: substring,
  replace: (args, { args: exprs }) => {
    const [from, to] = exprs.slice(1).map(constantText);
    const grows = typeof from !== 'string' || typeof to !== 'string' || Buffer.byteLength(to) > from.length;
    if (!grows) return `replace(${args.join(', ')})`;
    return bindOnce(operands(args, exprs), (x, a, b) => {
      const grown = `(${occurrences(x, a)} * (strlen(${b}) - strlen(${a})))`;
      return (
        `(CASE WHEN strlen(${b}) > strlen(${a}) AND strlen(${x}) * strlen(${b}) > ${MAX_TEXT_GROWTH_BYTES} ` +
        `AND ${tooLong(`strlen(${x})`, grown)} THEN ${raise('text_too_long')} ELSE replace(${x}, ${a}, ${b}) END)`
      );
    });
  },
  repeat: (args, { args: exprs }) =>
    bindOnce(
      operands(args, exprs),
      (x, n) =>
        `(CASE WHEN ${n} < 0 THEN ${raise('negative_length')} ` +
        // Divides instead of multiplying, because a product could overflow.
        `WHEN ${n} > 1 AND ${n} > ${MAX_TEXT_BYTES} / greatest(strlen(${x}), 1) AND ${x} <> '' THEN ${raise('text_too_long')} ` +
        `WHEN ${x} = '' THEN ${x} ELSE repeat(${x}, ${n}) END)`
    ),
  pad_left: (args, call) => padded('lpad', args, call),
  pad_right: (args, call) => padded('rpad', args, call),
  format_fixed: ([x], { options }) => `replace(printf('%.${Number(options?.['digits'])}f', ${x}), '-nan', 'nan')`,
  md5_hex: ([x]) => `md5(${x})`,
  sha256_hex: ([x]) => `sha256(${x})`,
};

/** Number of occurrences of a text that is not empty. */
function occurrences(x = '', part = ''): string {
  return `((strlen(${x}) - strlen(replace(${x}, ${part}, ''))) // greatest(strlen(${part}), 1))`;
}

function trimmed(name: string): CallPrinter {
  return ([x, characters]) => `${name}(${x}, ${characters ?? quoteText(WHITE_SPACE)})`;
}

function taken(name: 'left' | 'right', args: readonly string[], { args: exprs, options }: CallExpr): string {
  const negative = options?.['safe'] === true ? 'NULL' : raise('negative_length');
  const [x, n] = operands(args, exprs);
  if (x === undefined || n === undefined) throw new Error(`${name} takes a text and a length`);
  if (isPlace(n.expr)) return `${name}(${x.sql}, ${n.sql})`;
  return bindOnce(
    [x, n],
    (t, m) => `(CASE WHEN ${m} < 0 THEN ${negative} WHEN ${m} > ${MAX_PLACE} THEN ${t} ELSE ${name}(${t}, ${m}) END)`
  );
}

/** Maximum position and length that DuckDB supports. */
const MAX_PLACE = 4_294_967_295n;

function isPlace(expr: CallExpr['args'][number] | undefined): boolean {
  return isKnownPositive(expr) && (constantNumber(expr) ?? 0n) <= MAX_PLACE;
}

/** A start of 0, or before the text, is the first character; DuckDB would shorten the length instead. */
function substring(args: readonly string[], { args: exprs, options }: CallExpr): string {
  const values = operands(args, exprs);
  const [, start, length] = values;
  const negative = options?.['safe'] === true ? 'NULL' : raise('negative_length');
  if (isPlace(start?.expr) && isKnownNonZero(start?.expr) && (length === undefined || isPlace(length.expr))) {
    return `substr(${args.join(', ')})`;
  }
  return bindOnce(values, (x, i, n) => {
    const from = `(CASE WHEN ${i} = 0 OR ${i} < - length(${x}) THEN 1 WHEN ${i} > ${MAX_PLACE} THEN ${MAX_PLACE} ELSE ${i} END)`;
    if (n === undefined) return `substr(${x}, ${from})`;
    return `(CASE WHEN ${n} < 0 THEN ${negative} WHEN ${n} > ${MAX_PLACE} THEN substr(${x}, ${from}) ELSE substr(${x}, ${from}, ${n}) END)`;
  });
}

function padded(name: 'lpad' | 'rpad', args: readonly string[], { args: exprs }: CallExpr): string {
  return bindOnce(
    operands(args, exprs),
    (x, n, pattern) =>
      `(CASE WHEN ${n} < 0 THEN ${raise('negative_length')} ` +
      // A character has at most four bytes.
      `WHEN ${n} > ${MAX_TEXT_BYTES / 4} AND ${n} > length(${x}) THEN ${raise('text_too_long')} ` +
      `ELSE ${name}(${x}, CAST(${n} AS INTEGER), ${pattern}) END)`
  );
}

function constantNumber(expr: CallExpr['args'][number] | undefined): bigint | null {
  if (expr === undefined || !isConstant(expr)) return null;
  const value = expr.kind === 'bound' ? expr.value.value : expr.kind === 'literal' ? expr.value : null;
  return typeof value === 'bigint' ? value : null;
}

function isKnownPositive(expr: CallExpr['args'][number] | undefined): boolean {
  const value = constantNumber(expr);
  return value !== null && value >= 0n;
}

function isKnownNonZero(expr: CallExpr['args'][number] | undefined): boolean {
  return constantNumber(expr) !== 0n;
}
