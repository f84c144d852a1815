/** Decodes backslash escapes of strings and quoted names as GoogleSQL does; an unknown escape keeps its backslash. */
import { syntaxError } from '../parse-errors';
import type { SourceText } from './source-text';

/** Decoded value, and the offset after it. */
export interface DecodedText {
  readonly value: string;
  readonly end: number;
}

const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['?', '?'],
]);

/** Number of hexadecimal digits after the letter. */
const HEXADECIMAL_ESCAPES: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['X', 2],
  ['u', 4],
  ['U', 8],
]);

/** `start` is the offset of the backslash. */
export function readEscape(source: SourceText, start: number): DecodedText {
  const letter = source.text.charAt(start + 1);
  const simple = SIMPLE_ESCAPES.get(letter);
  if (simple !== undefined) return { value: simple, end: start + 2 };
  const digitCount = HEXADECIMAL_ESCAPES.get(letter);
  if (digitCount !== undefined) return readHexadecimal(source, start, digitCount);
  const octal = source.text.slice(start + 1, start + 4);
  if (/^[0-3][0-7]{2}$/.test(octal)) return decoded(source, start, start + 4, Number.parseInt(octal, 8));
  return { value: '\\', end: start + 1 };
}

function readHexadecimal(source: SourceText, start: number, digitCount: number): DecodedText {
  const end = start + 2 + digitCount;
  const digits = source.text.slice(start + 2, end);
  if (digits.length !== digitCount || !/^[0-9a-fA-F]+$/.test(digits)) {
    const letter = source.text.charAt(start + 1);
    throw syntaxError(
      source.position(start),
      `"\\${letter}" must be followed by ${digitCount} hexadecimal digits`,
      'write two backslashes for a backslash'
    );
  }
  return decoded(source, start, end, Number.parseInt(digits, 16));
}

function decoded(source: SourceText, start: number, end: number, codePoint: number): DecodedText {
  if (codePoint === 0) throw syntaxError(source.position(start), 'a text cannot hold the NUL character');
  if (codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff)) {
    throw syntaxError(source.position(start), `"${source.text.slice(start, end)}" is not a Unicode character`);
  }
  return { value: String.fromCodePoint(codePoint), end };
}
