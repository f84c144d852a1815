/** Reads quoted strings and names: finds the end and decodes escapes. Offsets are those of the opening quote. */
import { syntaxError } from '../parse-errors';
import { type DecodedText, readEscape } from './read-escape';
import type { SourceText } from './source-text';

interface QuoteStyle {
  /** Closing quote; for strings also the opening one. */
  readonly delimiter: string;
  readonly raw: boolean;
  readonly multiline: boolean;
  /** Whether a doubled quote is an escaped quote. */
  readonly doubling: boolean;
  readonly what: string;
}

/** `'..'`, `".."`, `'''..'''` or `"""..."""`. */
export function readString(source: SourceText, start: number, raw: boolean): DecodedText {
  const quote = source.text.charAt(start);
  const triple = source.text.startsWith(quote.repeat(3), start);
  const delimiter = triple ? quote.repeat(3) : quote;
  return readQuoted(source, start, { delimiter, raw, multiline: triple, doubling: !triple, what: 'string' });
}

/** `` `name` ``. */
export function readQuotedName(source: SourceText, start: number): DecodedText {
  const name = readQuoted(source, start, {
    delimiter: '`',
    raw: false,
    multiline: false,
    doubling: false,
    what: 'name',
  });
  if (name.value === '') throw syntaxError(source.position(start), 'a name in backticks cannot be empty');
  return name;
}

function readQuoted(source: SourceText, start: number, style: QuoteStyle): DecodedText {
  const { text } = source;
  const { delimiter } = style;
  let value = '';
  let pending = start + delimiter.length;
  let offset = pending;
  while (offset < text.length) {
    const character = text.charAt(offset);
    if (character === '\\') {
      if (style.raw) {
        offset += text.startsWith('\n', offset + 1) || text.startsWith('\r', offset + 1) ? 1 : 2;
      } else {
        const escape = readEscape(source, offset);
        value += text.slice(pending, offset) + escape.value;
        offset = pending = escape.end;
      }
    } else if (text.startsWith(delimiter, offset)) {
      const end = offset + delimiter.length;
      value += text.slice(pending, offset);
      if (!style.doubling || text.charAt(end) !== delimiter) return { value, end };
      value += delimiter;
      offset = pending = end + 1;
    } else if (!style.multiline && (character === '\n' || character === '\r')) {
      break;
    } else {
      offset += 1;
    }
  }
  throw unclosed(source, start, style);
}

function unclosed(source: SourceText, start: number, { delimiter, multiline, what }: QuoteStyle) {
  const hint =
    what === 'string' && !multiline
      ? `a string ends on its line with ${delimiter}; use ${delimiter.repeat(3)} for several lines`
      : `it ends with ${delimiter}`;
  return syntaxError(source.position(start), `unclosed ${what}`, hint);
}
