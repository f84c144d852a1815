/** Bytes as Strings, which in ClickHouse hold any bytes. */
import { MAX_PARTS, MAX_TEXT_BYTES } from '../../../../functions/limits';
import { isConstant } from '../../../../ir/operations/call';
import type { BytesOps } from '../../../../ir/operations/ops';
import { BASE64, BASE64_SPACE, HEX, isShort, UTF8_PIECE } from '../../../base/text/bytes';
import { balanced, named } from '../../../base/functions';
import type { CallPrinter, CallPrinters } from '../../../dialect/dialect';
import { tooLong } from '../../../base/text/text-growth';
import { listOf } from '../../values/lists';
import { bindOnce, nameOnce } from '../../values/bind-once';
import { castTo, failsWhen, int, quoteText } from '../../values/literals';
import { orFail } from '../../values/or-fail';
import { repeat, replaceAll } from './bounded';
import { joins } from './joins';

export const bytes: CallPrinters<BytesOps> = {
  bytes_length: ([x]) => `toInt64(length(${x.sql}))`,
  bytes_bit_count: ([x]) => `toInt64(bitCount(${x.sql}))`,
  bytes_concat: (operands) =>
    bindOnce(operands, (...parts) => {
      const sizes = parts.map((part) => `length(${part})`);
      const longest = `greatest(${sizes.join(', ')}, 0)`;
      const fails = failsWhen(tooLong(longest, `(${balanced(sizes, '+')} - ${longest})`), 'text_too_long');
      return `(CASE WHEN ${fails} THEN NULL ELSE concat(${parts.join(', ')}) END)`;
    }),
  bytes_starts_with: named('startsWith'),
  bytes_ends_with: named('endsWith'),
  bytes_strpos: ([x, part]) => `toInt64(position(${x.sql}, ${part.sql}))`,
  bytes_reverse: named('reverse'),
  bytes_replace: replaceAll,
  bytes_repeat: repeat,
  bytes_trim: trimmed(true, true),
  bytes_trim_start: trimmed(true, false),
  bytes_trim_end: trimmed(false, true),
  bytes_split: (operands, { type }) =>
    bindOnce(operands, (x, by) => {
      const [value, separator] = [`ifNull(${x}, '')`, `ifNull(${by}, '')`];
      // On digits, because ClickHouse supports only constant separators and any byte may occur.
      const marked = (sql: string): string => `replaceRegexpAll(hex(${sql}), '(..)', '\\1,')`;
      const parts = `splitByChar('|', replaceAll(${marked(value)}, ${marked(separator)}, '|'))`;
      const list =
        `(CASE WHEN ${value} = '' THEN [''] WHEN ${separator} = '' THEN arrayMap(p -> unhex(p), ${pairs(value)}) ` +
        `ELSE arrayMap(p -> unhex(replaceAll(p, ',', '')), ${parts}) END)`;
      const count = `if(${separator} = '', length(${value}) - 1, countSubstrings(${value}, ${separator}))`;
      const fails = failsWhen(`length(${value}) >= ${MAX_PARTS} AND ${count} >= ${MAX_PARTS}`, 'too_many_parts');
      return castTo(`if(${x} IS NULL OR ${by} IS NULL OR ${fails}, NULL, ${listOf(list)})`, type);
    }),
  bytes_join: joins.bytes,
  bytes_left: (operands, { options }) =>
    bindOnce(operands, (x, n) => unlessNegative(x, n, options.safe, `substring(${x}, 1, ${n})`)),
  bytes_right: (operands, { options }) =>
    bindOnce(operands, (x, n) =>
      unlessNegative(
        x,
        n,
        options.safe,
        `substring(${x}, toInt64(length(${x})) - least(${n}, toInt64(length(${x}))) + 1)`
      )
    ),
  bytes_substr: (operands, { options }) =>
    bindOnce(operands, (x, i, n) => {
      const from = `if(${i} = 0 OR ${i} < - toInt64(length(${x})), ${int(1)}, ${i})`;
      if (n === undefined) return `substring(${x}, ${from})`;
      return unlessNegative(x, n, options.safe, `substring(${x}, ${from}, ${n})`);
    }),
  bytes_pad_left: padded('leftPad'),
  bytes_pad_right: padded('rightPad'),
  bytes_to_text: (operands) => bindOnce(operands, lossyText),
  to_hex: (operands) => {
    if (isShort(operands[0].expr)) return `lower(hex(${operands[0].sql}))`;
    return bindOnce(operands, (x) => unlessTooLong(x, `length(${x})`, `lower(hex(${x}))`));
  },
  from_hex: (operands, { options }) =>
    bindOnce(operands, (x) =>
      orFail(x, `if(match(${x}, ${quoteText(HEX)}), unhex(${x}), NULL)`, options.safe, 'bad_encoding')
    ),
  to_base64: ([x]) => base64(x.sql, isShort(x.expr)),
  from_base64: (operands, { options }) =>
    bindOnce(operands, (x) => {
      const decoded = nameOnce(`replaceRegexpAll(${x}, ${quoteText(BASE64_SPACE)}, '')`, (t) => {
        const padding = `repeat('=', (4 - length(${t}) % 4) % 4)`;
        return `if(match(${t}, ${quoteText(BASE64)}), tryBase64Decode(concat(${t}, ${padding})), NULL)`;
      });
      return orFail(x, decoded, options.safe, 'bad_encoding');
    }),
  // A FixedString would lose its zeros at the end.
  md5: ([x]) => `unhex(hex(MD5(${x.sql})))`,
  sha1: ([x]) => `unhex(hex(SHA1(${x.sql})))`,
  sha256: ([x]) => `unhex(hex(SHA256(${x.sql})))`,
};

/** @param isBounded whether the bytes are few, so that the length needs no check */
export function base64(sql: string, isBounded = false): string {
  if (isBounded) return `base64Encode(${sql})`;
  return nameOnce(sql, (x) => unlessTooLong(x, `(intDiv(length(${x}), 3) + 3)`, `base64Encode(${x})`));
}

/** Text of bytes; NULL, or a failure, where they are not UTF-8 or have a NUL. @param x a short text */
export function textOfBytes(x: string, safe: boolean): string {
  return orFail(x, `if(${isText(x)}, ${x}, NULL)`, safe, 'bad_cast');
}

/** @param x a short text, which is repeated */
export function lossyText(x: string): string {
  const pieces = `extractAll(hex(ifNull(${x}, '')), ${quoteText(UTF8_PIECE)})`;
  const known = `if(length(p) = 2 AND (p >= '80' OR p = '00'), 'EFBFBD', p)`;
  return `(CASE WHEN ${isText(x)} THEN ${x} WHEN ${x} IS NOT NULL THEN unhex(arrayStringConcat(arrayMap(p -> ${known}, ${pieces}))) END)`;
}

/** Hexadecimal digits of each byte. @param x not NULL */
function pairs(x: string): string {
  return `extractAll(hex(${x}), '..')`;
}

function isText(x: string): string {
  return `(isValidUTF8(${x}) AND position(${x}, '\\0') = 0)`;
}

/** The length of bytes that are NULL does not matter. */
function unlessNegative(x: string, n: string, safe: boolean, sql: string): string {
  const negative = safe ? `${n} < 0` : failsWhen(`${n} < 0 AND ${x} IS NOT NULL`, 'negative_length');
  return `(CASE WHEN ${negative} THEN NULL WHEN ${n} IS NOT NULL THEN ${sql} END)`;
}

function unlessTooLong(x: string, grown: string, sql: string): string {
  return `(CASE WHEN ${failsWhen(tooLong(`length(${x})`, grown), 'text_too_long')} THEN NULL ELSE ${sql} END)`;
}

function trimmed(start: boolean, end: boolean): CallPrinter<'bytes_trim' | 'bytes_trim_start' | 'bytes_trim_end'> {
  return (operands) =>
    bindOnce(operands, (x, removed) => {
      const [list, set] = [pairs(`ifNull(${x}, '')`), pairs(`ifNull(${removed}, '')`)];
      const first = start ? `arrayFirstIndex(p -> NOT has(${set}, p), ${list})` : '1';
      const last = end ? `arrayLastIndex(p -> NOT has(${set}, p), ${list})` : `length(${x})`;
      // The first index is 0 where all bytes are removed.
      const kept = `if(${first} = 0, '', substring(${x}, ${first}, toInt64(${last}) - ${first} + 1))`;
      return `if(${x} IS NULL OR ${removed} IS NULL, NULL, ${kept})`;
    });
}

/** ClickHouse's own functions take only constant patterns. */
function padded(name: 'leftPad' | 'rightPad'): CallPrinter<'bytes_pad_left' | 'bytes_pad_right'> {
  return (operands) =>
    bindOnce(operands, (x, n, pattern) => {
      const isKnown = isConstant(operands[2].expr);
      // ClickHouse's own functions run for all rows, before the conditions.
      const size = `least(greatest(${n}, 0), greatest(toInt64(length(${x})), ${MAX_TEXT_BYTES}))`;
      const missing = `(${n} - toInt64(length(${x})))`;
      const fill = `substring(repeat(${pattern}, intDiv(${missing}, greatest(length(${pattern}), 1)) + 1), 1, ${missing})`;
      const filled = name === 'leftPad' ? `concat(${fill}, ${x})` : `concat(${x}, ${fill})`;
      const padded = `if(${missing} <= 0, substring(${x}, 1, ${n}), ${filled})`;
      const isEmpty = `${pattern} = '' AND ${x} IS NOT NULL AND ${n} IS NOT NULL`;
      return (
        `(CASE WHEN ${failsWhen(`${n} < 0 AND ${x} IS NOT NULL AND ${pattern} IS NOT NULL`, 'negative_length')} ` +
        `OR ${failsWhen(`${n} > ${MAX_TEXT_BYTES} AND ${n} > length(${x})`, 'text_too_long')} ` +
        `${isKnown ? '' : `OR ${failsWhen(isEmpty, 'empty_pattern')} `}OR ${n} IS NULL OR ${pattern} IS NULL THEN NULL ` +
        `ELSE ${isKnown ? `${name}(${x}, ${size}, ${pattern})` : padded} END)`
      );
    });
}
