/** Patterns for bytes in hexadecimal digits and for IP addresses, in RE2. */
import { isCall } from '../../../ir/operations/call';
import type { Expr } from '../../../ir/expression';

/** Second and later bytes of a character. */
const NEXT = '[89AB].';

/** A character of UTF-8 in capital hexadecimal digits. A text of the dialect has no NUL. */
const CHARACTER = [
  '0[1-9A-F]',
  '[1-7].',
  `(?:C[2-9A-F]|D.)${NEXT}`,
  `E0[AB].${NEXT}`,
  `(?:E[1-9A-CEF])(?:${NEXT}){2}`,
  `ED[89].${NEXT}`,
  `F0[9AB].(?:${NEXT}){2}`,
  `F[1-3](?:${NEXT}){3}`,
  `F48.(?:${NEXT}){2}`,
].join('|');

/** Characters only. */
export const UTF8 = `^(?:${CHARACTER})*$`;
/** Characters, or one byte that is not part of one. */
export const UTF8_PIECE = `(?:${CHARACTER})+|..`;

/** Without white space: digits in groups of four, with or without `=` at the end. */
export const BASE64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$';
export const BASE64_SPACE = '[\\t-\\r ]+';
export const HEX = '^[0-9a-fA-F]*$';

const DECIMAL = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const IPV4 = `${DECIMAL}(?:\\.${DECIMAL}){3}`;
const GROUP = '[0-9a-fA-F]{1,4}';

export const IPV4_TEXT = `^${IPV4}$`;
/** An IPv4 address at the end of one of IPv6. */
export const IPV4_TAIL = `:(${IPV4})$`;
/** Groups of an IPv6 address; with `::` their number is another condition. */
export const IPV6_TEXT = `^(?:(?:${GROUP}(?::${GROUP})*)?::(?:${GROUP}(?::${GROUP})*)?|${GROUP}(?::${GROUP}){7})$`;

/** Runs of groups that are zero, longest first: the first that matches becomes `::`. */
export const ZERO_RUNS: readonly string[] = [8, 7, 6, 5, 4, 3, 2].map((count) => `(?:^|:)0(?::0){${count - 1}}(?:$|:)`);

/** Addresses of IPv6 whose last four bytes are written as an IPv4 address, in small hexadecimal digits. */
export const MAPPED = '^0{20}ffff';
export const COMPATIBLE = '^0{24}(?:000[1-9a-f]|00[1-9a-f].|0[1-9a-f]..|[1-9a-f]...)';

/** Digits of a hexadecimal digit whose last bits are 0: all but the first 1, 2 and 3 bits. */
export const TRUNCATED_DIGITS: readonly string[] = ['0000000088888888', '000044448888CCCC', '0022446688AACCEE'];
export const HEX_DIGITS = '0123456789ABCDEF';

const SHORT_CALLS = ['md5', 'sha1', 'sha256', 'ip_from_text', 'ip_mask', 'ip_trunc', 'ipv4_from_integer'] as const;

/** Whether bytes are never many. */
export function isShort(expr: Expr): boolean {
  return isCall(expr, ...SHORT_CALLS);
}
