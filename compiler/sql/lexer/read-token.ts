/** Reads one token: a string, bytes, a name, a parameter, a number, a word or an operator. */
import { notSupported, syntaxError } from '../parse-errors';
import { matchAt } from './match-at';
import { readBytes } from './read-bytes';
import { readNumber } from './read-number';
import { readQuotedName, readString } from './read-quoted';
import type { SourceText } from './source-text';
import type { Token, TokenKind } from './token';
import { unexpectedCharacter } from './unexpected-character';

const NUMBER_START = /\.?[0-9]/y;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
/** Longest first. Some belong to other dialects only; the parser names them in its error. */
const OPERATOR = /<=>|->>|<=|>=|<>|!=|!~|\|\||\|>|<<|>>|::|:=|==|&&|->|=>|\*\*|\/\/|[()[\],.;+\-*/%=<>&|^~:?!]/y;

/** Reads the token that starts at `start`, which is neither white space nor a comment. @throws ServiceError */
export function readToken(source: SourceText, start: number): Token {
  const { text } = source;
  const first = text.charAt(start);
  if (first === "'" || first === '"') return stringToken(source, start, start, false);
  if (first === '`') {
    const name = readQuotedName(source, start);
    return createToken(source, 'quoted-name', start, name.end, '', name.value);
  }
  if (first === '@') return readParameter(source, start);
  if (matchAt(NUMBER_START, text, start) !== null) {
    const number = readNumber(source, start);
    return createToken(source, number.kind, start, number.end, '', number.value);
  }
  const word = matchAt(WORD, text, start);
  if (word !== null) return readWord(source, start, word);
  const operator = matchAt(OPERATOR, text, start);
  if (operator === null) throw unexpectedCharacter(source, start);
  return createToken(source, 'operator', start, start + operator.length, operator, operator);
}

/** Reads a word, or a string or bytes if the word is their prefix. */
function readWord(source: SourceText, start: number, word: string): Token {
  const end = start + word.length;
  const next = source.text.charAt(end);
  if ((next === "'" || next === '"') && /^(?:r|b|rb|br)$/i.test(word)) {
    const isRaw = /r/i.test(word);
    if (!/b/i.test(word)) return stringToken(source, start, end, isRaw);
    const bytes = readBytes(source, end, isRaw);
    return createToken(source, 'bytes', start, bytes.end, '', bytes.value);
  }
  return createToken(source, 'word', start, end, word.toUpperCase(), word);
}

function stringToken(source: SourceText, start: number, quote: number, raw: boolean): Token {
  const string = readString(source, quote, raw);
  return createToken(source, 'string', start, string.end, '', string.value);
}

function readParameter(source: SourceText, start: number): Token {
  const { text } = source;
  const name = matchAt(WORD, text, start + 1);
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

export function createToken(
  source: SourceText,
  kind: TokenKind,
  start: number,
  end: number,
  symbol: string,
  value: string
): Token {
  return { kind, symbol, value, position: source.position(start, end) };
}
