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
  readonly decodes: Decoding;
}

/** What a literal's characters and escapes become. */
export interface Decoding {
  plain(text: string): string;
  /** @param start offset of the backslash */
  escape(source: SourceText, start: number): DecodedText;
}

const TEXT: Decoding = { plain: withLineFeeds, escape: readEscape };

/** GoogleSQL reads each end of a line as LF, so that a text does not depend on the editor. */
export function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** `'..'`, `".."`, `'''..'''` or `"""..."""`. */
export function readString(source: SourceText, start: number, raw: boolean): DecodedText {
  const { delimiter, triple } = openingQuote(source, start);
  const doubling = !triple;
  return readQuoted(source, start, { delimiter, raw, multiline: triple, doubling, what: 'string', decodes: TEXT });
}

/** Quotes as of a string, for a literal whose characters become something else than text. */
export function readStringAs(source: SourceText, start: number, raw: boolean, decodes: Decoding): DecodedText {
  const { delimiter, triple } = openingQuote(source, start);
  return readQuoted(source, start, { delimiter, raw, multiline: triple, doubling: false, what: 'string', decodes });
}

function openingQuote({ text }: SourceText, start: number): { readonly delimiter: string; readonly triple: boolean } {
  const quote = text.charAt(start);
  const triple = text.startsWith(quote.repeat(3), start);
  return { delimiter: triple ? quote.repeat(3) : quote, triple };
}

/** Mark of code in Markdown, which callers copy with a query. */
const FENCE = '```';

/** `` `name` ``. */
export function readQuotedName(source: SourceText, start: number): DecodedText {
  const name = readQuoted(source, start, {
    delimiter: '`',
    raw: false,
    multiline: false,
    doubling: false,
    what: 'name',
    decodes: TEXT,
  });
  if (name.value === '') {
    const hint = source.text.startsWith(FENCE, start) ? `send the query without the ${FENCE} around it` : undefined;
    throw syntaxError(source.position(start), 'a name in backticks cannot be empty', hint);
  }
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
        const escape = style.decodes.escape(source, offset);
        value += style.decodes.plain(text.slice(pending, offset)) + escape.value;
        offset = pending = escape.end;
      }
    } else if (text.startsWith(delimiter, offset)) {
      const end = offset + delimiter.length;
      value += style.decodes.plain(text.slice(pending, offset));
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
