/**
 * Nested texts: URLs contain `%40` for `@`, JSON inside a message contains `\u0031` for `1` or `
 * ` before a word. `decodeEscapes` returns the decoded text with the origin of each character; the atoms match the same
 * escapes in RE2 syntax.
 */

/** A printable ASCII character written as an escape, or one of JSON's short escapes. */
const ESCAPE = /%([2-7][0-9A-Fa-f])|\\u00([2-7][0-9A-Fa-f])|\\[nrt"\\/]/g;

export interface DecodedText {
  readonly text: string;
  /** Offset in the original text of the character at an offset of `text`. */
  readonly originalOffset: (offset: number) => number;
}

/** @returns undefined if the text contains no escape */
export function decodeEscapes(text: string): DecodedText | undefined {
  if (!text.includes('%') && !text.includes('\\')) return undefined;
  ESCAPE.lastIndex = 0;
  /** Offset of each decoded character, and the difference in length up to and including it. */
  const places: number[] = [];
  const shifts: number[] = [];
  let decoded = '';
  let copied = 0;
  let shift = 0;
  for (let match = ESCAPE.exec(text); match !== null; match = ESCAPE.exec(text)) {
    const hex = match[1] ?? match[2];
    decoded += text.slice(copied, match.index) + (hex === undefined ? ' ' : String.fromCharCode(parseInt(hex, 16)));
    copied = ESCAPE.lastIndex;
    shift += match[0].length - 1;
    places.push(decoded.length);
    shifts.push(shift);
  }
  if (places.length === 0) return undefined;
  return { text: decoded + text.slice(copied), originalOffset: (offset) => offset + shiftAt(offset) };

  /** Shift of the last escape that ends at or before the offset. */
  function shiftAt(offset: number): number {
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] as number) <= offset) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : (shifts[low - 1] as number);
  }
}

/** `\\` in RE2, or `\\\\` inside JSON text, where the backslash of a text is itself escaped: see `inJsonText`. */
const BACKSLASH_U = String.raw`\\u00`;

const either = (plain: string, hex: string): string => `(?:${plain}|%${hex}|${BACKSLASH_U}${hex})`;

export const DIGIT = either('[0-9]', '3[0-9]');
export const HEX_DIGIT = `(?:[0-9A-Fa-f]|(?:%|${BACKSLASH_U})(?:3[0-9]|[46][1-6]))`;
export const DOT = either('\\.', '2[eE]');
export const COLON = either(':', '3[aA]');
export const AT = either('@', '40');
/** A short escape of JSON, which `decodeEscapes` decodes to a blank. */
const SHORT_ESCAPE = String.raw`\\[nrt"/\\]`;
/** A blank, a plus, or a dash between groups of digits. */
export const SEPARATOR = `(?:[ +-]|%2[0bBdD]|${BACKSLASH_U}2[0bBdD]|${SHORT_ESCAPE})`;
/** Dots, underscores, tabs, and the blanks and dashes of typesetting: between groups of digits of one length. */
export const GROUP_MARK = '[._\t\u00a0\u2007\u2009\u202f\u2011\u2013]';
export const GROUP_SEPARATOR = either(GROUP_MARK, '(?:2[eE]|5[fF])');
/**
 * Any printable ASCII character written with a backslash. Percent escapes are made of plain letters and are not needed
 * here.
 */
export const ESCAPED_CHARACTER = `${BACKSLASH_U}[2-7][0-9A-Fa-f]`;
/** Short escapes right before a find are no part of it. */
export const ESCAPES_BEFORE = String.raw`(?:\\[nrt"/\\])*`;

/** A blank or a tab. */
export const BLANK = '(?: |\\t)';
/** A quote behind a name, with the backslashes of the texts around it. */
export const QUOTE_AFTER_NAME = `(?:\\\\{0,7}["']|%2[27])?`;

/** "Anything but blanks and some characters", as patterns of secrets say it. The backslash is among those. */
const ANY_BUT = /\[\^\\s(?:\\.|[^\]\\])*\]/g;
/** A control character that is no blank, as JSON text has it. */
const WRITTEN_CONTROL = String.raw`\\(?:b|u00(?:0[0-8bBeEfF]|1[0-9a-fA-F]))`;

/**
 * A pattern for texts, as a pattern for JSON text that holds such texts: there each backslash of a text is written as
 * two, and control characters begin with one.
 */
export function inJsonText(pattern: string): string {
  return pattern
    .replaceAll(ANY_BUT, (anyBut) => `(?:${anyBut}|${WRITTEN_CONTROL})`)
    .replaceAll(ESCAPES_BEFORE, String.raw`(?:\\(?:[bfnrt"/\\]|u[0-9a-fA-F]{4}))*`)
    .replaceAll(SHORT_ESCAPE, String.raw`\\\\(?:[nrt/]|\\["\\])`)
    .replaceAll(GROUP_MARK, String.raw`(?:${GROUP_MARK}|\\t)`)
    .replaceAll(BLANK, String.raw`(?: |\\t)`)
    .replaceAll(QUOTE_AFTER_NAME, String.raw`(?:\\{1,15}["']|'|%2[27])?`)
    .replaceAll(BACKSLASH_U, String.raw`\\\\u00`);
}
