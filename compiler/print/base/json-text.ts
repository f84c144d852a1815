/**
 * Patterns (RE2) for JSON texts that a store's own functions do not read as the dialect does: they write numbers with
 * other digits and differ in what they accept. Both stores read such numbers from a copy of the text in which numbers are
 * texts with a mark in front.
 */

/** A noncharacter of Unicode. Marks a number that became a text. */
export const MARK = '\uFDD0';

/** What `MARKED_NUMBER` leaves at the end of a text. */
export const MARK_AT_END = `"${MARK}"`;

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

/** Matches a text that is no JSON although DuckDB reads it, and few others: `NaN`, `Infinity`, a comma at the end. */
export const LENIENT = `(?:^|[:,\\[])${BLANKS}-?(?:[iI]|[nN][aA])|,${BLANKS}[\\]}]`;

/** Matches up to and including the next number, or the end. Groups: the text before the number, the number. */
export const NUMBERS = `(?s)((?:[^"0-9-]|${STRING})*)(${NUMBER}|$)`;

/** Replacement for `NUMBERS`. At the end of the text it leaves `MARK_AT_END`. */
export const MARKED_NUMBER = `\\1"${MARK}\\2"`;

/** A marked number as JSON writes it, with the digits as a group. */
export const UNMARKED_NUMBER = `"${MARK}([-+.0-9eE]+)"`;

/** Matches what is no JSON although DuckDB reads it, in a text whose strings are empty. */
export const NO_JSON = `(?i)nan|inf|,${BLANKS}[\\]}]`;

/** Strings, and what is between them. */
export const STRINGS = `(?s)${STRING}|[^"]+`;

/** A number as a text, with blanks around it. Group: the number. */
export const NUMBER_IN_TEXT =
  '^[ \\t\\r\\n]*([-+]?(?:(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?|(?i:inf|infinity|nan)))[ \\t\\r\\n]*$';
