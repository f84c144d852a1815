/** Text functions. Lengths and positions count characters; calls that can enlarge a text are bounded for each row. */
import { MAX_PARTS, MAX_TEXT_BYTES, MAX_TEXT_GROWTH_BYTES } from '../../../../functions/limits';
import { isAscii } from '../../../../functions/text/ascii';
import { isConstant } from '../../../../ir/operations/call';
import type { Expr } from '../../../../ir/expression';
import type { OptionsOf, TextOps } from '../../../../ir/operations/ops';
import { constantInteger, constantText } from '../../../base/constants';
import { named } from '../../../base/functions';
import type { CallPrinter, CallPrinters, Operand } from '../../../dialect/dialect';
import { layoutPrinter } from '../../../base/text/number-layout';
import { grows, tooLong } from '../../../base/text/text-growth';
import { textLiteralPrinter } from '../../../base/text/text-literal';
import { bindOnce } from '../../values/bind-once';
import { quoteText, raise } from '../../values/literals';
import { lower, lowerEach, upper } from './letter-case';
import { forLambda } from '../../values/for-lambda';

/** Default characters of TRIM: Unicode white space. */
const WHITE_SPACE =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

export const text: CallPrinters<TextOps> = {
  lower: (operands) => bindOnce(operands, lower),
  upper: (operands) => bindOnce(operands, upper),
  reverse: (operands) =>
    // DuckDB does not separate the characters of a grapheme cluster.
    bindOnce(
      operands,
      (x) =>
        `(CASE WHEN strlen(${x}) = length(${x}) THEN reverse(${x}) ` +
        `ELSE array_to_string(list_reverse(string_split(${x}, '')), '') END)`
    ),
  length: named('length'),
  byte_length: named('strlen'),
  starts_with: named('starts_with'),
  ends_with: named('ends_with'),
  contains: named('contains'),
  contains_substr: (operands) => {
    const [text, part] = operands;
    const known = constantText(part.expr);
    // An ASCII text is found equally with DuckDB's lower(), which may differ for other letters.
    if (typeof known === 'string' && isAscii(known)) return `contains(lower(${text.sql}), lower(${part.sql}))`;
    return bindOnce(operands, (x, y) => `contains(${lowerEach(x)}, ${lowerEach(y)})`);
  },
  strpos: named('strpos'),
  trim: trimmed('trim'),
  trim_start: trimmed('ltrim'),
  trim_end: trimmed('rtrim'),
  split: (operands) =>
    // DuckDB returns the whole text for an empty separator.
    bindOnce(
      operands,
      (x, by) =>
        `(CASE WHEN strlen(${x}) >= ${MAX_PARTS} AND (CASE WHEN ${by} = '' THEN length(${x}) - 1 ELSE ${occurrences(x, by)} END) >= ${MAX_PARTS} ` +
        `THEN ${raise('too_many_parts')} WHEN ${by} IS NOT NULL THEN string_split(${x}, ${by}) END)`
    ),
  left: taken('left'),
  right: taken('right'),
  substr: substring,
  replace: (operands) => {
    const [, from, to] = operands;
    if (!grows(from.expr, to.expr)) return named('replace')(operands);
    return bindOnce(operands, (x, a, b) => {
      const grown = `(${occurrences(x, a)} * (strlen(${b}) - strlen(${a})))`;
      return (
        `(CASE WHEN strlen(${b}) > strlen(${a}) AND strlen(${x}) * strlen(${b}) > ${MAX_TEXT_GROWTH_BYTES} ` +
        `AND ${tooLong(`strlen(${x})`, grown)} THEN ${raise('text_too_long')} ELSE replace(${x}, ${a}, ${b}) END)`
      );
    });
  },
  repeat: (operands) =>
    bindOnce(
      operands,
      (x, n) =>
        `(CASE WHEN ${x} IS NULL THEN NULL WHEN ${n} < 0 THEN ${raise('negative_length')} ` +
        // Divides instead of multiplying, because a product could overflow.
        `WHEN ${n} > 1 AND ${n} > ${MAX_TEXT_BYTES} / greatest(strlen(${x}), 1) AND ${x} <> '' THEN ${raise('text_too_long')} ` +
        `WHEN ${x} = '' AND ${n} IS NOT NULL THEN ${x} ELSE repeat(${x}, ${n}) END)`
    ),
  pad_left: padded('lpad'),
  pad_right: padded('rpad'),
  format_fixed: (operands, { options }) => bindOnce(operands, (x) => fixed(x, options)),
  format_exponent: ([x], { options: { code, digits, point } }) => {
    const written = withoutSign(`printf('%.${digits}${code}', ${x.sql} + 0e0)`);
    return point && digits === 0 ? withPoint(written) : written;
  },
  format_base: (operands, { options }) =>
    bindOnce(
      operands,
      (x) => `((CASE WHEN ${x} < 0 THEN '-' ELSE '' END) || printf('%${options.code}', abs(CAST(${x} AS HUGEINT))))`
    ),
  format_layout: layoutPrinter({
    bindOnce,
    leading: (x, digits) => `regexp_extract(${x}, '^[${digits}]*')`,
    grouped: (digits, size, separator) =>
      `ltrim(reverse(regexp_replace(reverse(${digits}), '(.{${size}})', '\\1${separator}', 'g')), '${separator}')`,
  }),
  text_literal: textLiteralPrinter({
    bindOnce,
    quoteText,
    matches: (x, pattern) => `regexp_matches(${x}, ${quoteText(pattern)})`,
  }),
  strpos_from: (operands, { options }) =>
    bindOnce(operands, (x, part) => laterPosition(x, part, options.position, options.occurrence)),
  translate: named('translate'),
  initcap: ([x], { options }) => {
    const { pattern, hasLetters } = options;
    const words = `regexp_extract_all(${x.sql}, ${quoteText(pattern === '' ? '(?s).+' : `[${pattern}]+|[^${pattern}]+`)})`;
    const capital = `(CASE WHEN starts_with(w, 'ß') THEN 'ß' ELSE upper(substr(w, 1, 1)) END) || ${lower('substr(w, 2)')}`;
    const word = hasLetters
      ? `(CASE WHEN regexp_matches(w, ${quoteText(`^[${pattern}]`)}) THEN w ELSE ${capital} END)`
      : capital;
    // Not array_to_string, a macro that has its operand twice. No word is NULL.
    return `list_aggr([''] || list_transform(${forLambda(words)}, lambda w: ${word}), 'string_agg', '')`;
  },
  md5_hex: named('md5'),
  sha256_hex: named('sha256'),
};

/** Digits with which printf() writes every FLOAT64 exactly; with fewer, large ones have wrong digits. */
const EXACT_DIGITS = 20;
/** From here on, no FLOAT64 has a digit behind the point that is not 0. */
const LEAST_WHOLE = 2 ** 53;

function fixed(x: string, { code, digits, point }: OptionsOf<'format_fixed'>): string {
  const print = (count: number): string => `printf('%.${count}f', ${x} + 0e0)`;
  const behind = EXACT_DIGITS - digits + (digits === 0 ? 1 : 0);
  const isLarge = `abs(${x}) >= ${LEAST_WHOLE} AND isfinite(${x})`;
  const large = `(CASE WHEN ${isLarge} THEN left(${print(EXACT_DIGITS)}, ${-behind}) ELSE ${print(digits)} END)`;
  const written = withoutSign(digits < EXACT_DIGITS ? large : print(digits));
  const whole = point && digits === 0 ? withPoint(written) : written;
  return code === 'F' ? `upper(${whole})` : whole;
}

/** A point behind the digits where printf() leaves it out. */
function withPoint(written: string): string {
  return `regexp_replace(${written}, '^(-?[0-9]+)([eE]|$)', '\\1.\\2')`;
}

function withoutSign(written: string): string {
  return `replace(${written}, '-nan', 'nan')`;
}

/** Searches once for each occurrence, each time after the start of the last. @param x @param part short texts */
function laterPosition(x: string, part: string, position: number, occurrence: number): string {
  const found = (from: string): string => `strpos(substr(${x}, ${from}), ${part})`;
  const first = `(CASE WHEN ${position} > length(${x}) OR ${found(String(position))} = 0 THEN 0 ELSE ${found(String(position))} + ${position - 1} END)`;
  const step = (last: string): string =>
    `list_extract(list_transform(${forLambda(`[${last}]`)}, lambda p: CASE WHEN p = 0 OR p >= length(${x}) OR ${found('p + 1')} = 0 THEN 0 ELSE p + ${found('p + 1')} END), 1)`;
  let sql = first;
  for (let count = 1; count < occurrence; count += 1) sql = step(sql);
  return `(CASE WHEN ${x} IS NOT NULL AND ${part} IS NOT NULL THEN CAST(${sql} AS BIGINT) END)`;
}

/** Number of occurrences of a text that is not empty. */
function occurrences(x: string, part: string): string {
  return `((strlen(${x}) - strlen(replace(${x}, ${part}, ''))) // greatest(strlen(${part}), 1))`;
}

function trimmed(name: string): CallPrinter<'trim' | 'trim_start' | 'trim_end'> {
  return ([x, characters]) => `${name}(${x.sql}, ${characters?.sql ?? quoteText(WHITE_SPACE)})`;
}

function taken(name: 'left' | 'right'): CallPrinter<'left' | 'right'> {
  return (operands, { options }) => {
    const negative = options.safe ? 'NULL' : raise('negative_length');
    if (isPlace(operands[1].expr)) return named(name)(operands);
    return bindOnce(
      operands,
      (t, m) =>
        `(CASE WHEN ${t} IS NULL THEN NULL WHEN ${m} < 0 THEN ${negative} WHEN ${m} > ${MAX_PLACE} THEN ${t} ELSE ${name}(${t}, ${m}) END)`
    );
  };
}

/** Maximum position and length that DuckDB supports. */
const MAX_PLACE = 4_294_967_295n;

function isPlace(expr: Expr): boolean {
  const value = constantInteger(expr);
  return value !== undefined && value >= 0n && value <= MAX_PLACE;
}

/** A start of 0, or before the text, is the first character; DuckDB would shorten the length instead. */
function substring(...[operands, { options }]: Parameters<CallPrinter<'substr'>>): string {
  const [, start, length] = operands;
  const negative = options.safe ? 'NULL' : raise('negative_length');
  const isPlain = isPlace(start.expr) && constantInteger(start.expr) !== 0n;
  if (isPlain && (length === undefined || isPlace(length.expr))) return named('substr')(operands);
  return bindOnce(operands, (x, i, n) => {
    const from = `(CASE WHEN ${i} = 0 OR ${i} < - length(${x}) THEN 1 WHEN ${i} > ${MAX_PLACE} THEN ${MAX_PLACE} ELSE ${i} END)`;
    if (n === undefined) return `substr(${x}, ${from})`;
    return `(CASE WHEN ${x} IS NULL THEN NULL WHEN ${n} < 0 THEN ${negative} WHEN ${n} > ${MAX_PLACE} THEN substr(${x}, ${from}) ELSE substr(${x}, ${from}, ${n}) END)`;
  });
}

function padded(name: 'lpad' | 'rpad'): CallPrinter<'pad_left' | 'pad_right'> {
  return (operands) =>
    bindOnce(
      operands,
      (x, n, pattern) =>
        `(CASE WHEN ${x} IS NULL OR ${pattern} IS NULL THEN NULL WHEN ${n} < 0 THEN ${raise('negative_length')} ` +
        // A character has at most four bytes.
        `WHEN ${n} > ${MAX_TEXT_BYTES / 4} AND ${n} > length(${x}) THEN ${raise('text_too_long')} ` +
        whenEmpty(operands, `${x} IS NOT NULL AND ${n} IS NOT NULL AND ${pattern} = ''`) +
        `ELSE ${name}(${x}, CAST(${n} AS INTEGER), ${pattern}) END)`
    );
}

/** The branch for a pattern that must not be empty, unless it is known. */
export function whenEmpty([, , pattern]: readonly [Operand, Operand, Operand], isEmpty: string): string {
  return isConstant(pattern.expr) ? '' : `WHEN ${isEmpty} THEN ${raise('empty_pattern')} `;
}
