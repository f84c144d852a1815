/**
 * Lexer. Linear in the length of the text, whose size is checked first. Comments and white space produce no token;
 * every other character is part of exactly one token or refused with its position.
 */
import { notSupported, syntaxError, tooComplex } from '../parse-errors';
import type { ParseLimits } from '../parse-limits';
import { readNumber } from './read-number';
import { readQuotedName, readString } from './read-quoted';
import { SourceText } from './source-text';
import type { Token, TokenKind } from './token';
import { unexpectedCharacter } from './unexpected-character';

/** `\s` covers the blanks of Unicode, the non-breaking space and the byte order mark. */
const BLANKS = /[\s\u0085]+/y;
const LINE_COMMENT = /(?:--|#)[^\r\n]*/y;
const NUMBER_START = /\.?[0-9]/y;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
/** Longest first. Some belong to other dialects only; the parser names them in its error. */
const OPERATOR = /<=>|->>|<=|>=|<>|!=|!~|\|\||\|>|<<|>>|::|:=|==|&&|->|=>|\*\*|\/\/|[()[\],.;+\-*/%=<>&|^~:?!]/y;

/**
 * Returns tokens that end with one of kind `end`. @throws ServiceError `sql_syntax`, and `query_too_complex` for a text
 * that is too long
 */
export function tokenize(text: string, limits: Pick<ParseLimits, 'maxBytes'>): readonly Token[] {
  const source = new SourceText(text);
  if (text.length > limits.maxBytes || Buffer.byteLength(text, 'utf8') > limits.maxBytes) {
    throw tooComplex(source.position(0), 'maxBytes', limits.maxBytes);
  }
  ensureStorable(source);
  const tokens: Token[] = [];
  let offset = skipIgnored(source, 0);
  while (offset < text.length) {
    const token = readToken(source, offset);
    tokens.push(token);
    offset = skipIgnored(source, token.position.end);
  }
  tokens.push(createToken(source, 'end', offset, offset, '', ''));
  return tokens;
}

/** Refuses NUL and unpaired surrogates everywhere, including comments: stores cannot represent them. */
function ensureStorable(source: SourceText): void {
  const bad = /\0|\p{Surrogate}/u.exec(source.text);
  if (bad === null) return;
  const what = bad[0] === '\0' ? 'the NUL character' : 'half of a surrogate pair';
  throw syntaxError(source.position(bad.index), `a text cannot hold ${what}`);
}

function skipIgnored(source: SourceText, start: number): number {
  const { text } = source;
  let offset = start;
  for (;;) {
    const ignored = match(BLANKS, text, offset) ?? match(LINE_COMMENT, text, offset) ?? blockComment(source, offset);
    if (ignored === '') return offset;
    offset += ignored.length;
  }
}

/** Comment that starts at `start`, or an empty text. */
function blockComment(source: SourceText, start: number): string {
  const { text } = source;
  if (!text.startsWith('/*', start)) return '';
  const close = text.indexOf('*/', start + 2);
  if (close < 0) throw syntaxError(source.position(start, start + 2), 'unclosed comment', 'it ends with */');
  return text.slice(start, close + 2);
}

function readToken(source: SourceText, start: number): Token {
  const { text } = source;
  const first = text.charAt(start);
  if (first === "'" || first === '"') return stringToken(source, start, start, false);
  if (first === '`') {
    const name = readQuotedName(source, start);
    return createToken(source, 'quoted-name', start, name.end, '', name.value);
  }
  if (first === '@') return readParameter(source, start);
  if (match(NUMBER_START, text, start) !== null) {
    const number = readNumber(source, start);
    return createToken(source, number.kind, start, number.end, '', number.value);
  }
  const word = match(WORD, text, start);
  if (word !== null) return readWord(source, start, word);
  const operator = match(OPERATOR, text, start);
  if (operator === null) throw unexpectedCharacter(source, start);
  return createToken(source, 'operator', start, start + operator.length, operator, operator);
}

/** Reads a word, or a string if the word is its prefix. */
function readWord(source: SourceText, start: number, word: string): Token {
  const end = start + word.length;
  const next = source.text.charAt(end);
  if ((next === "'" || next === '"') && /^(?:r|b|rb|br)$/i.test(word)) {
    if (word.length === 2 || /b/i.test(word)) {
      throw notSupported(source.position(start, end), 'BYTES is not supported', 'leave out the prefix b');
    }
    return stringToken(source, start, end, true);
  }
  return createToken(source, 'word', start, end, word.toUpperCase(), word);
}

function stringToken(source: SourceText, start: number, quote: number, raw: boolean): Token {
  const string = readString(source, quote, raw);
  return createToken(source, 'string', start, string.end, '', string.value);
}

function readParameter(source: SourceText, start: number): Token {
  const { text } = source;
  const name = match(WORD, text, start + 1);
  if (name !== null) return createToken(source, 'parameter', start, start + 1 + name.length, '', name);
  if (text.charAt(start + 1) === '@') {
    throw notSupported(source.position(start, start + 2), 'system variables are not supported');
  }
  throw syntaxError(
    source.position(start),
    'expected the name of a parameter after "@"',
    'a parameter is written @name'
  );
}

function match(pattern: RegExp, text: string, start: number): string | null {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0] ?? null;
}

function createToken(
  source: SourceText,
  kind: TokenKind,
  start: number,
  end: number,
  symbol: string,
  value: string
): Token {
  return { kind, symbol, value, position: source.position(start, end) };
}
