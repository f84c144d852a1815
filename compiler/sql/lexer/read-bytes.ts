/** Reads bytes literals: `b'..'`. The value is two hexadecimal digits for each byte. */
import { syntaxError } from '../parse-errors';
import { type DecodedText, readEscape } from './read-escape';
import { type Decoding, readStringAs, withLineFeeds } from './read-quoted';
import type { SourceText } from './source-text';

const BYTES: Decoding = { plain: (text) => hexOfText(withLineFeeds(text)), escape: readByte };

/** @param start offset of the opening quote, after the prefix */
export function readBytes(source: SourceText, start: number, raw: boolean): DecodedText {
  return readStringAs(source, start, raw, BYTES);
}

function readByte(source: SourceText, start: number): DecodedText {
  const { text } = source;
  const known = /^\\(?:[xX]([0-9a-fA-F]{2})|([0-3][0-7]{2}))/.exec(text.slice(start, start + 4));
  if (known !== null) {
    const [whole, hex, octal = ''] = known;
    return { value: hex?.toLowerCase() ?? byte(Number.parseInt(octal, 8)), end: start + whole.length };
  }
  if (/^\\[^abfnrtv\\'"`?]/.test(text.slice(start, start + 2))) {
    throw syntaxError(
      source.position(start, start + 2),
      `"${text.slice(start, start + 2)}" is not an escape of bytes`,
      'write a byte as \\x and two hexadecimal digits'
    );
  }
  const { value, end } = readEscape(source, start);
  return { value: hexOfText(value), end };
}

/** UTF-8 of a text without unpaired surrogates, in hexadecimal digits. */
export function hexOfText(text: string): string {
  let hex = '';
  for (const character of text) hex += hexOfCharacter(character.codePointAt(0) ?? 0);
  return hex;
}

function hexOfCharacter(code: number): string {
  if (code < 0x80) return byte(code);
  const last = byte(0x80 | (code & 0x3f));
  if (code < 0x800) return byte(0xc0 | (code >> 6)) + last;
  const middle = byte(0x80 | ((code >> 6) & 0x3f));
  if (code < 0x10000) return byte(0xe0 | (code >> 12)) + middle + last;
  return byte(0xf0 | (code >> 18)) + byte(0x80 | ((code >> 12) & 0x3f)) + middle + last;
}

function byte(value: number): string {
  return value.toString(16).padStart(2, '0');
}
