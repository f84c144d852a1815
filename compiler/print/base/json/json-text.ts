/**
 * Patterns (RE2) for JSON texts that a store's own functions do not read as the dialect does: they write numbers with
 * other digits and differ in what they accept. Both stores read such numbers from a copy of the text in which numbers
 * are texts with a mark in front.
 */

/** Two noncharacters of Unicode, which no text has in practice. Marks a number that became a text. */
export const MARK = '\uFDD0\uFDEF';

/** Where the digits of a marked number begin, from 1, and how much longer than its digits it is. In characters. */
export const MARKED_DIGITS_AT = MARK.length + 2;

/** The same in bytes. */
export const MARKED_DIGITS_AT_BYTE = new TextEncoder().encode(MARK).length + 2;

/** Matches what `MARKED_NUMBER` leaves at the end of a text: one mark on DuckDB, two on ClickHouse. */
export const MARK_AT_END = `"${MARK}"(?:"${MARK}")?$`;

const BLANKS = '[ \\t\\r\\n]*';
export const STRING = '"(?:[^"\\\\]|\\\\.)*"';
const NUMBER = '-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?';

/** Digits that a store may write otherwise: exponents, trailing and many digits, minus zero. */
const ODD_NUMBERS = [
  '-0(?:[^.0-9]|$)',
  '-?[0-9]+(?:\\.[0-9]*)?[eE]',
  '-?[0-9]+\\.[0-9]*0(?:[^0-9]|$)',
  '-?0\\.0000',
  '-?[0-9]+\\.[0-9]{9}',
  '-?[0-9]{8,}\\.[0-9]{6}',
  '-?[0-9]{11,}\\.',
  '(?:-[0-9]|[0-9]{2})[0-9]{18}',
];

/** Matches a text with such a number, and few others. */
export const ODD_NUMBER = `(?:^|[:,\\[])${BLANKS}(?:${ODD_NUMBERS.join('|')})`;

/** Matches up to and including the next number, or the end. Groups: the text before the number, the number. */
export const NUMBERS = `(?s)((?:[^"0-9-]|${STRING})*)(${NUMBER}|$)`;

/** Replacement for `NUMBERS`. At the end of the text it leaves what `MARK_AT_END` matches. */
export const MARKED_NUMBER = `\\1"${MARK}\\2"`;

/** A marked number as JSON writes it, with the digits as a group. */
export const UNMARKED_NUMBER = `"${MARK}([-+.0-9eE]+)"`;

/** Numbers that every store writes with the same digits. */
const PLAIN_NUMBERS = [
  '0',
  '-?[1-9][0-9]{0,17}',
  '-?[0-9]{1,10}\\.[0-9]{0,3}[1-9]',
  '-?[0-9]{1,7}\\.[0-9]{0,3}[1-9][0-9]{0,3}[1-9]',
];

/** In what precedes a value: all commas, and the brackets and colons before a number. */
const BEFORE = `[,:[]${BLANKS}`;

/**
 * Matches a whole text that DuckDB reads if it reads it as the dialect does. Letters are those of `true`, `false` and
 * `null`; what begins with `n` and is no `null` is `NaN`. Numbers are behind what may precede them, so that they end
 * where their digits end.
 */
export const PLAIN =
  `(?s)(?:(?:${BEFORE})*(?:${STRING}|[[{aeflrstu]|nu)|(?:${BEFORE})+(?:${PLAIN_NUMBERS.join('|')})|` +
  `[]}: \\t\\r\\n])*`;

/** Matches a whole text that DuckDB reads if it is JSON: no `NaN`, no `Infinity`, no comma at the end. */
export const STRICT = `(?s)(?:(?:,${BLANKS})?(?:${STRING}|nu|[^",nNiI\\]} \\t\\r\\n])|[]} \\t\\r\\n])*`;

/** Strings, and what is between them. */
export const STRINGS = `(?s)${STRING}|[^"]+`;

/** A number as a text, with blanks around it. Group: the number. */
export const NUMBER_IN_TEXT =
  '^[ \\t\\r\\n]*([-+]?(?:(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?|(?i:inf|infinity|nan)))[ \\t\\r\\n]*$';
