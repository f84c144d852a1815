/**
 * Bytes as BLOBs. DuckDB has few functions for them: positions and parts are computed on their hexadecimal digits, two
 * for each byte.
 */
import { MAX_PARTS, MAX_TEXT_BYTES, MAX_TEXT_GROWTH_BYTES } from '../../../../functions/limits';
import type { BytesOps } from '../../../../ir/operations/ops';
import { BASE64, BASE64_SPACE, HEX, isShort, UTF8, UTF8_PIECE } from '../../../base/text/bytes';
import { balanced } from '../../../base/functions';
import type { CallPrinter, CallPrinters } from '../../../dialect/dialect';
import { tooLong } from '../../../base/text/text-growth';
import { bindOnce, nameOnce } from '../../values/bind-once';
import { quoteText, raise } from '../../values/literals';
import { joins } from './joins';
import { whenEmpty } from './text';
import { forLambda } from '../../values/for-lambda';

export const bytes: CallPrinters<BytesOps> = {
  bytes_length: ([x]) => sizeOf(x.sql),
  // DuckDB refuses to read no bytes as bits.
  bytes_bit_count: (operands) =>
    bindOnce(operands, (x) => `(CASE WHEN ${sizeOf(x)} = 0 THEN 0 ELSE bit_count(CAST(${x} AS BIT)) END)`),
  bytes_concat: (operands) =>
    bindOnce(operands, (...parts) => {
      const sizes = parts.map(sizeOf);
      const longest = `greatest(${sizes.join(', ')})`;
      const grown = `(${balanced(sizes, '+')} - ${longest})`;
      return `(CASE WHEN ${tooLong(longest, grown)} THEN ${raise('text_too_long')} ELSE ${balanced(parts, '||')} END)`;
    }),
  bytes_starts_with: ([x, part]) => `starts_with(hex(${x.sql}), hex(${part.sql}))`,
  bytes_ends_with: ([x, part]) => `ends_with(hex(${x.sql}), hex(${part.sql}))`,
  bytes_strpos: ([x, part]) => `((strpos(${marked(x.sql)}, ${marked(part.sql)}) + 2) // 3)`,
  // DuckDB writes out the operand of list_reverse several times.
  bytes_reverse: (operands) => bindOnce(operands, (x) => joined(`list_reverse(${pairs(x)})`)),
  bytes_replace: (operands) =>
    bindOnce(operands, (x, from, to) => {
      const replaced = `replace(${marked(x)}, ${marked(from)}, ${marked(to)})`;
      const count = `((length(${marked(x)}) - length(replace(${marked(x)}, ${marked(from)}, ''))) // greatest(3 * ${sizeOf(from)}, 1))`;
      const grown = `(${count} * (${sizeOf(to)} - ${sizeOf(from)}))`;
      return (
        `(CASE WHEN ${sizeOf(to)} > ${sizeOf(from)} AND ${sizeOf(x)} * ${sizeOf(to)} > ${MAX_TEXT_GROWTH_BYTES} ` +
        `AND ${tooLong(sizeOf(x), grown)} THEN ${raise('text_too_long')} ELSE ${unmarked(replaced)} END)`
      );
    }),
  bytes_repeat: (operands) =>
    bindOnce(
      operands,
      (x, n) =>
        `(CASE WHEN ${x} IS NULL THEN NULL WHEN ${n} < 0 THEN ${raise('negative_length')} ` +
        // Divides instead of multiplying, because a product could overflow.
        `WHEN ${n} > 1 AND ${n} > ${MAX_TEXT_BYTES} / greatest(${sizeOf(x)}, 1) AND ${sizeOf(x)} > 0 THEN ${raise('text_too_long')} ` +
        `WHEN ${sizeOf(x)} = 0 AND ${n} IS NOT NULL THEN ${x} ELSE repeat(${x}, ${n}) END)`
    ),
  bytes_trim: trimmed(true, true),
  bytes_trim_start: trimmed(true, false),
  bytes_trim_end: trimmed(false, true),
  bytes_split: (operands) =>
    bindOnce(operands, (x, by) => {
      const count = `(CASE WHEN ${sizeOf(by)} = 0 THEN ${sizeOf(x)} - 1 ELSE (length(${marked(x)}) - length(replace(${marked(x)}, ${marked(by)}, ''))) // (3 * ${sizeOf(by)}) END)`;
      const parts = `list_transform(${forLambda(`string_split(${marked(x)}, ${marked(by)})`)}, lambda p: ${unmarked('p')})`;
      return (
        `(CASE WHEN ${sizeOf(x)} >= ${MAX_PARTS} AND ${count} >= ${MAX_PARTS} THEN ${raise('too_many_parts')} ` +
        `WHEN ${x} IS NULL OR ${by} IS NULL THEN NULL WHEN ${sizeOf(x)} = 0 THEN [${x}] ` +
        `WHEN ${sizeOf(by)} = 0 THEN list_transform(${forLambda(pairs(x))}, lambda p: unhex(p)) ELSE ${parts} END)`
      );
    }),
  bytes_join: joins.bytes,
  bytes_left: (operands, { options }) =>
    bindOnce(operands, (x, n) => unlessNegative(x, n, options.safe, part(x, '1', `least(${n}, ${knownSize(x)})`))),
  bytes_right: (operands, { options }) =>
    bindOnce(operands, (x, n) => {
      const size = `least(${n}, ${knownSize(x)})`;
      return unlessNegative(x, n, options.safe, part(x, `(${knownSize(x)} - ${size} + 1)`, size));
    }),
  bytes_substr: (operands, { options }) =>
    bindOnce(operands, (x, i, n) => {
      const size = knownSize(x);
      const from = `(CASE WHEN ${i} = 0 OR ${i} < - ${size} THEN 1 WHEN ${i} < 0 THEN ${size} + ${i} + 1 WHEN ${i} > ${size} THEN ${size} + 1 ELSE ${i} END)`;
      if (n === undefined) return part(x, from, size);
      return unlessNegative(x, n, options.safe, part(x, from, `least(${n}, ${size})`));
    }),
  bytes_pad_left: padded((fill, x) => `${fill} || ${x}`),
  bytes_pad_right: padded((fill, x) => `${x} || ${fill}`),
  bytes_to_text: (operands) => bindOnce(operands, lossyText),
  to_hex: (operands) => {
    if (isShort(operands[0].expr)) return `lower(hex(${operands[0].sql}))`;
    return bindOnce(operands, (x) => unlessTooLong(x, sizeOf(x), `lower(hex(${x}))`));
  },
  from_hex: (operands, { options }) =>
    bindOnce(
      operands,
      (x) =>
        `(CASE WHEN regexp_matches(${x}, ${quoteText(HEX)}) THEN unhex(${x}) WHEN ${x} IS NOT NULL THEN ${failing(options.safe)} END)`
    ),
  to_base64: ([x]) => base64(x.sql, isShort(x.expr)),
  from_base64: ([x], { options }) =>
    nameOnce(`regexp_replace(${x.sql}, ${quoteText(BASE64_SPACE)}, '', 'g')`, (t) => {
      const padding = `repeat('=', (4 - length(${t}) % 4) % 4)`;
      return `(CASE WHEN regexp_matches(${t}, ${quoteText(BASE64)}) THEN from_base64(${t} || ${padding}) WHEN ${t} IS NOT NULL THEN ${failing(options.safe)} END)`;
    }),
  md5: ([x]) => `unhex(md5(${x.sql}))`,
  sha1: ([x]) => `unhex(sha1(${x.sql}))`,
  sha256: ([x]) => `unhex(sha256(${x.sql}))`,
};

/** @param isBounded whether the bytes are few, so that the length needs no check */
export function base64(sql: string, isBounded = false): string {
  if (isBounded) return `to_base64(${sql})`;
  return nameOnce(sql, (x) => unlessTooLong(x, `${sizeOf(x)} // 3 + 3`, `to_base64(${x})`));
}

/** Text of bytes; NULL, or a failure, where they are not UTF-8 or have a NUL. @param x a short text */
export function textOfBytes(x: string, safe: boolean): string {
  const fails = safe ? 'NULL' : raise('bad_cast');
  return `(CASE WHEN ${isText(x)} THEN decode(${x}) WHEN ${x} IS NOT NULL THEN ${fails} END)`;
}

/** @param x a short text, which is repeated */
export function lossyText(x: string): string {
  const pieces = `regexp_extract_all(hex(${x}), ${quoteText(UTF8_PIECE)})`;
  const known = `(CASE WHEN length(p) = 2 AND (p >= '80' OR p = '00') THEN 'EFBFBD' ELSE p END)`;
  return `(CASE WHEN ${isText(x)} THEN decode(${x}) WHEN ${x} IS NOT NULL THEN decode(${joined(`list_transform(${forLambda(pieces)}, lambda p: ${known})`)}) END)`;
}

/** Hexadecimal digits of each byte. */
export function pairs(x: string): string {
  return `regexp_extract_all(hex(${x}), '..')`;
}

/** Bytes of a list of hexadecimal digits. */
export function joined(list: string): string {
  return `unhex(array_to_string(${list}, ''))`;
}

function isText(x: string): string {
  return `regexp_matches(hex(${x}), ${quoteText(UTF8)})`;
}

function failing(safe: boolean): string {
  return safe ? 'NULL' : raise('bad_encoding');
}

export function sizeOf(x: string): string {
  return `octet_length(${x})`;
}

/** 0 for NULL, so that no position is beyond the size. */
function knownSize(x: string): string {
  return `coalesce(${sizeOf(x)}, 0)`;
}

/** Hexadecimal digits with a comma after each byte, so that a find begins with a byte. */
function marked(x: string): string {
  return `regexp_replace(hex(${x}), '(..)', '\\1,', 'g')`;
}

function unmarked(text: string): string {
  return `unhex(replace(${text}, ',', ''))`;
}

/** @param from from 1, at most one behind the end @param size from 0 */
function part(x: string, from: string, size: string): string {
  return `unhex(substr(hex(${x}), 2 * ${from} - 1, 2 * ${size}))`;
}

function unlessNegative(x: string, n: string, safe: boolean, sql: string): string {
  const negative = safe ? 'NULL' : raise('negative_length');
  return `(CASE WHEN ${x} IS NULL THEN NULL WHEN ${n} < 0 THEN ${negative} WHEN ${n} IS NOT NULL THEN ${sql} END)`;
}

function unlessTooLong(x: string, grown: string, sql: string): string {
  return `(CASE WHEN ${tooLong(sizeOf(x), `(${grown})`)} THEN ${raise('text_too_long')} ELSE ${sql} END)`;
}

function trimmed(start: boolean, end: boolean): CallPrinter<'bytes_trim' | 'bytes_trim_start' | 'bytes_trim_end'> {
  return (operands) =>
    bindOnce(operands, (x, removed) => {
      const rest = (list: string): string =>
        `coalesce(list_position(list_transform(${forLambda(list)}, lambda p: list_contains(${pairs(removed)}, p)), false), ${sizeOf(x)} + 1)`;
      const first = start ? rest(pairs(x)) : '1';
      const last = end ? `${sizeOf(x)} + 1 - ${rest(`list_reverse(${pairs(x)})`)}` : sizeOf(x);
      return `(CASE WHEN ${x} IS NOT NULL AND ${removed} IS NOT NULL THEN coalesce(${joined(`list_slice(${pairs(x)}, ${first}, ${last})`)}, CAST('' AS BLOB)) END)`;
    });
}

function padded(join: (fill: string, x: string) => string): CallPrinter<'bytes_pad_left' | 'bytes_pad_right'> {
  return (operands) =>
    bindOnce(operands, (x, n, pattern) => {
      const missing = `(${n} - ${sizeOf(x)})`;
      const fill = `unhex(substr(repeat(hex(${pattern}), ${missing} // greatest(${sizeOf(pattern)}, 1) + 1), 1, 2 * ${missing}))`;
      return (
        `(CASE WHEN ${x} IS NULL OR ${pattern} IS NULL THEN NULL WHEN ${n} < 0 THEN ${raise('negative_length')} ` +
        `WHEN ${n} > ${MAX_TEXT_BYTES} AND ${n} > ${sizeOf(x)} THEN ${raise('text_too_long')} ` +
        whenEmpty(operands, `${x} IS NOT NULL AND ${n} IS NOT NULL AND ${sizeOf(pattern)} = 0`) +
        `WHEN ${n} <= ${sizeOf(x)} THEN ${part(x, '1', n)} WHEN ${n} IS NOT NULL THEN ${join(fill, x)} END)`
      );
    });
}
