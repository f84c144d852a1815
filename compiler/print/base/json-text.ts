/**
 * Patterns (RE2) for JSON texts that a store's own functions do not read as the dialect does: they write numbers with
 * other digits, differ in what they accept, and reject a text that was cut off.
 *
 * Both stores read such a text after the same changes: what follows the last complete token is left out, numbers become
 * texts with a mark in front, and the objects and arrays that are still open get a marked member and are closed.
 */

/** A noncharacter of Unicode. Marks a number that became a text; alone: a value that is not complete. */
export const MARK = '\uFDD0';

/** Text constant of JSON with the mark alone. */
export const INCOMPLETE = `"${MARK}"`;

export const MAX_REPAIRED_BYTES = 100_000;
/** Deepest text that is repaired; finding what is open takes time by the depth. */
export const MAX_REPAIRED_DEPTH = 500;

const BLANKS = '[ \\t\\r\\n]*';
export const STRING = '"(?:[^"\\\\]|\\\\.)*"';
const NUMBER = '-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?';
/** Also a number that ends in its fraction or exponent. */
const SCALAR = `(?:${STRING}|${NUMBER}(?:\\.|[eE][-+]?)?|true|false|null)`;

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

/** Matches a text that is no JSON although DuckDB reads it, and few others: `NaN`, `Infinity`. */
export const LENIENT = `(?:^|[:,\\[])${BLANKS}-?(?:[iI]|[nN][aA])`;

/** Matches a text that may begin with JSON. */
export const BEGINS_JSON = `^${BLANKS}[\\[{"0-9-]`;

/** Complete tokens at the beginning of a text: one, or those of an object or array and what follows it. */
export const TOKENS = `(?s)^${BLANKS}(?:${SCALAR}|[{\\[](?:[ \\t\\r\\n{}\\[\\]:,]|${SCALAR})*)`;

/** Matches a number that was cut off in its fraction or exponent, at the end of a text. */
export const CUT_NUMBER = '-?[0-9.]+(?:\\.|[eE][-+]?)$';

/** Pieces of a text of tokens: brackets, and all between two of them. */
export const PIECES = `(?s)(?:[^"{}\\[\\]]|${STRING})+|[{}\\[\\]]`;

/** Matches up to and including the next number, or the end. Groups: the text before the number, the number. */
export const NUMBERS = `(?s)((?:[^"0-9-]|${STRING})*)(${NUMBER}|$)`;

/** Replacement for `NUMBERS`. At the end of the text it leaves `INCOMPLETE`. */
export const MARKED_NUMBER = `\\1"${MARK}\\2"`;

/** A marked number as JSON writes it, with the digits as a group. */
export const UNMARKED_NUMBER = `"${MARK}([-+.0-9eE]+)"`;

/** Matches a string, or the comma after the last item with the bracket after it. Groups: the string, the bracket. */
export const LAST_COMMA = `(?s)(${STRING})|,${BLANKS}([\\]}])`;

/** Matches a text that ends with the key of a member. */
export const ENDS_WITH_KEY = `(?s)[{,]${BLANKS}${STRING}$`;

/** Matches what is no JSON although DuckDB reads it, in a text whose strings are empty. */
export const NO_JSON = `(?i)nan|inf|,${BLANKS}[\\]}]`;

/** Strings, and what is between them. */
export const STRINGS = `(?s)${STRING}|[^"]+`;

/** A number as a text, with blanks around it. Group: the number. */
export const NUMBER_IN_TEXT =
  '^[ \\t\\r\\n]*([-+]?(?:(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?|(?i:inf|infinity|nan)))[ \\t\\r\\n]*$';
