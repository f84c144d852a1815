/** Text functions. Lengths and positions count characters; calls that can enlarge a text are bounded for each row. */
import { MAX_PARTS, MAX_TEXT_BYTES } from '../../../../functions/limits';
import { isAscii } from '../../../../functions/text/ascii';
import { isConstant } from '../../../../ir/operations/call';
import type { OptionsOf, TextOps } from '../../../../ir/operations/ops';
import { constantText, isKnownCount } from '../../../base/constants';
import { named } from '../../../base/functions';
import type { CallPrinter, CallPrinters } from '../../../dialect/dialect';
import { layoutPrinter } from '../../../base/text/number-layout';
import { grows } from '../../../base/text/text-growth';
import { textLiteralPrinter } from '../../../base/text/text-literal';
import { listOf } from '../../values/lists';
import { bindOnce } from '../../values/bind-once';
import { castTo, failsWhen, int, quoteText } from '../../values/literals';
import { repeat, replaceAll } from './bounded';
import { ifAscii, lowerEach } from './letter-case';

/** Default characters of TRIM: Unicode white space. */
const WHITE_SPACE = '[\\t-\\r \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}]';

export const text: CallPrinters<TextOps> = {
  lower: named('lowerUTF8'),
  upper: named('upperUTF8'),
  reverse: named('reverseUTF8'),
  length: ([x]) => `toInt64(lengthUTF8(${x.sql}))`,
  byte_length: ([x]) => `toInt64(length(${x.sql}))`,
  starts_with: named('startsWith'),
  ends_with: named('endsWith'),
  contains: ([x, part]) => `(position(${x.sql}, ${part.sql}) > 0)`,
  contains_substr: ([text, part]) => {
    const known = constantText(part.expr);
    return bindOnce([text] as const, (x) => {
      const mapped = `position(${lowerEach(x)}, ${lowerEach(part.sql)}) > 0`;
      return typeof known === 'string' && isAscii(known)
        ? ifAscii(x, `positionCaseInsensitive(${x}, ${part.sql}) > 0`, mapped)
        : `(${mapped})`;
    });
  },
  strpos: ([x, part]) => `toInt64(positionUTF8(${x.sql}, ${part.sql}))`,
  trim: trimmed('both'),
  trim_start: trimmed('start'),
  trim_end: trimmed('end'),
  split,
  left: taken('leftUTF8'),
  right: taken('rightUTF8'),
  // A start of 0, or before the text, is the first character.
  substr: (operands, { options }) =>
    bindOnce(operands, (x, i, n) => {
      const from = `if(${i} = 0 OR ${i} < - toInt64(lengthUTF8(${x})), ${int(1)}, ${i})`;
      if (n === undefined) return `substringUTF8(${x}, ${from})`;
      const part = `substringUTF8(${x}, ${from}, ${n})`;
      return isKnownCount(operands[2]?.expr) ? part : unlessNegative(x, n, options.safe, part);
    }),
  replace: (operands) =>
    grows(operands[1].expr, operands[2].expr) ? replaceAll(operands) : named('replaceAll')(operands),
  repeat,
  pad_left: padded('leftPadUTF8'),
  pad_right: padded('rightPadUTF8'),
  format_fixed: ([x], { options }) => printed(x.sql, options),
  format_exponent: ([x], { options }) => printed(x.sql, options),
  format_base: (operands, { options }) =>
    bindOnce(operands, (x) => `concat(if(${x} < 0, '-', ''), printf('%${options.code}', abs(${x})))`),
  format_layout: layoutPrinter({
    bindOnce,
    leading: (x, digits) => `extract(${x}, '^[${digits}]*')`,
    grouped: (digits, size, separator) => {
      const grouped = `reverse(replaceRegexpAll(reverse(${digits}), '(.{${size}})', '\\\\1${separator}'))`;
      return `replaceRegexpOne(${grouped}, '^${separator}', '')`;
    },
  }),
  text_literal: textLiteralPrinter({
    bindOnce,
    quoteText,
    matches: (x, pattern) => `match(${x}, ${quoteText(pattern)})`,
  }),
  strpos_from: (operands, { options }) =>
    bindOnce(operands, (x, part) => laterPosition(x, part, options.position, options.occurrence)),
  translate: ([x, from, to]) => `translateUTF8(${x.sql}, ${from.sql}, leftUTF8(${to.sql}, lengthUTF8(${from.sql})))`,
  initcap: (operands, { options }) => {
    const { pattern, hasLetters } = options;
    const first = 'substringUTF8(w, 1, 1)';
    const large = `if(lengthUTF8(upperUTF8(${first})) = 1, upperUTF8(${first}), ${first})`;
    const capital = `concat(${large}, lowerUTF8(substringUTF8(w, 2)))`;
    const word = hasLetters ? `if(match(w, ${quoteText(`^[${pattern}]`)}), w, ${capital})` : capital;
    const piece = quoteText(pattern === '' ? '(?s).+' : `[${pattern}]+|[^${pattern}]+`);
    return bindOnce(operands, (x) => {
      const words = `extractAll(assumeNotNull(${x}), ${piece})`;
      return `if(isNull(${x}), NULL, arrayStringConcat(arrayMap(w -> ${word}, ${words})))`;
    });
  },
  md5_hex: ([x]) => `lower(hex(MD5(${x.sql})))`,
  sha256_hex: ([x]) => `lower(hex(SHA256(${x.sql})))`,
};

function printed(x: string, { code, digits, point }: OptionsOf<'format_fixed' | 'format_exponent'>): string {
  const written = `replaceAll(printf('%${point ? '#' : ''}.${digits}${code.replace('F', 'f')}', ${x} + 0e0), '-nan', 'nan')`;
  return code === 'F' ? `upper(${written})` : written;
}

/** Searches once for each occurrence, each time after the start of the last. @param x @param part short texts */
function laterPosition(x: string, part: string, position: number, occurrence: number): string {
  const found = (from: string): string => `toInt64(positionUTF8(${x}, ${part}, toUInt64(${from})))`;
  let sql = `if(${position} > lengthUTF8(${x}), 0, ${found(String(position))})`;
  for (let count = 1; count < occurrence; count += 1) {
    sql = `arrayElement(arrayMap(p -> if(p = 0 OR p >= lengthUTF8(${x}), 0, ${found('p + 1')}), [${sql}]), 1)`;
  }
  return `if(${x} IS NULL OR ${part} IS NULL, NULL, toInt64(${sql}))`;
}

/** Never occurs in text: ingestion and the query parsers refuse it. */
const NUL = quoteText('\0');

function split(...[operands, { type }]: Parameters<CallPrinter<'split'>>): string {
  const known = constantText(operands[1].expr);
  return bindOnce(operands, (x, separator) => {
    const text = `ifNull(${x}, '')`;
    const letters = `ngrams(${text}, 1)`;
    // ClickHouse supports only constant separators.
    const parts = `splitByChar(${NUL}, replaceAll(${text}, ifNull(${separator}, ''), ${NUL}))`;
    const list =
      known === ''
        ? letters
        : typeof known === 'string'
          ? `splitByString(${separator}, ${text})`
          : `if(${separator} = '', ${letters}, ${parts})`;
    // ClickHouse splits an empty text into zero parts.
    const whole = `if(${x} = '', [''], ${list})`;
    const count = `if(${separator} = '', lengthUTF8(${text}) - 1, countSubstrings(${text}, ifNull(${separator}, '')))`;
    const fails = failsWhen(`length(${text}) >= ${MAX_PARTS} AND ${count} >= ${MAX_PARTS}`, 'too_many_parts');
    return castTo(`if(${x} IS NULL OR ${separator} IS NULL OR ${fails}, NULL, ${listOf(whole)})`, type);
  });
}

/** ClickHouse's own functions trim bytes, not characters. */
function trimmed(where: 'both' | 'start' | 'end'): CallPrinter<'trim' | 'trim_start' | 'trim_end'> {
  return ([{ sql: x }, characters]) => {
    const trim = (pattern: string): string => {
      const start = (text: string): string => `replaceRegexpOne(${text}, concat('^', ${pattern}, '+'), '')`;
      const end = (text: string): string => `replaceRegexpOne(${text}, concat(${pattern}, '+$'), '')`;
      if (where === 'start') return start(x);
      return where === 'end' ? end(x) : end(start(x));
    };
    if (characters === undefined) return trim(quoteText(WHITE_SPACE));
    const escaped = (text: string): string =>
      `replaceRegexpAll(${text}, ${quoteText('([][^\\\\-])')}, ${quoteText('\\\\\\1')})`;
    // An empty set is not a valid pattern; use one that matches nothing.
    return bindOnce([characters] as const, (c) => {
      const set = `ifNull(${c}, '')`;
      const pattern = `if(${set} = '', ${quoteText('[^\\s\\S]')}, concat('[', ${escaped(set)}, ']'))`;
      return `if(${c} IS NULL, NULL, ${trim(pattern)})`;
    });
  };
}

function taken(name: 'leftUTF8' | 'rightUTF8'): CallPrinter<'left' | 'right'> {
  return (operands, { options }) =>
    isKnownCount(operands[1].expr)
      ? named(name)(operands)
      : bindOnce(operands, (x, n) => unlessNegative(x, n, options.safe, `${name}(${x}, ${n})`));
}

/** The length of a text that is NULL does not matter. */
function unlessNegative(x: string, length: string, safe: boolean, value: string): string {
  const negative = safe ? `${length} < 0` : failsWhen(`${length} < 0 AND ${x} IS NOT NULL`, 'negative_length');
  return `(CASE WHEN ${negative} THEN NULL ELSE ${value} END)`;
}

/** ClickHouse's own functions take only constant patterns. */
function padded(name: 'leftPadUTF8' | 'rightPadUTF8'): CallPrinter<'pad_left' | 'pad_right'> {
  return (operands) =>
    bindOnce(operands, (x, n, pattern) => {
      const isKnown = isConstant(operands[2].expr);
      // ClickHouse's own functions run for all rows, before the conditions.
      const length = `least(greatest(${n}, 0), greatest(toInt64(lengthUTF8(${x})), ${MAX_TEXT_BYTES}))`;
      const missing = `(${n} - toInt64(lengthUTF8(${x})))`;
      const fill = `substringUTF8(repeat(${pattern}, intDiv(${missing}, greatest(lengthUTF8(${pattern}), 1)) + 1), 1, ${missing})`;
      const filled = name === 'leftPadUTF8' ? `concat(${fill}, ${x})` : `concat(${x}, ${fill})`;
      const padded = `if(${missing} <= 0, leftUTF8(${x}, ${n}), ${filled})`;
      const isEmpty = `${pattern} = '' AND ${x} IS NOT NULL AND ${n} IS NOT NULL`;
      return (
        `(CASE WHEN ${failsWhen(`${n} < 0 AND ${x} IS NOT NULL AND ${pattern} IS NOT NULL`, 'negative_length')} ` +
        // A character has at most four bytes.
        `OR ${failsWhen(`${n} > ${MAX_TEXT_BYTES / 4} AND ${n} > lengthUTF8(${x})`, 'text_too_long')} ` +
        `${isKnown ? '' : `OR ${failsWhen(isEmpty, 'empty_pattern')} `}OR ${n} IS NULL OR ${pattern} IS NULL THEN NULL ` +
        `ELSE ${isKnown ? `${name}(${x}, ${length}, ${pattern})` : padded} END)`
      );
    });
}
