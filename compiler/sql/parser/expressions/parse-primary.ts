/** Parses operands: literals, parameters, names, calls, and forms that start with a keyword. */
import type { Identifier } from '../../../ast/node';
import type { CastExpression, Expression, LiteralExpression, TypedLiteralExpression } from '../../../ast/expressions';
import { DIGITS_OF_MINIMUM, outOfRange } from '../../lexer/read-number';
import { notSupported, syntaxError } from '../../parse-errors';
import { CALLABLE_RESERVED_WORDS, CALLED_WITHOUT_PARENTHESES } from '../../reserved-words';
import { callWithoutParentheses, parseCall } from './parse-call';
import {
  parseArray,
  parseCase,
  parseCast,
  parseExists,
  parseExtract,
  parseStruct,
  parseWithExpression,
} from './parse-forms';
import { atIntervalName, parseInterval } from './parse-interval';
import { parseParenthesized } from './parse-parentheses';
import type { Parser } from '../parser';

/** Their literals are casts: the types are FLOAT64. */
const DECIMAL_TYPES: ReadonlySet<string> = new Set(['NUMERIC', 'BIGNUMERIC', 'DECIMAL', 'BIGDECIMAL']);

const LITERAL_TYPES: ReadonlySet<string> = new Set(['DATE', 'TIMESTAMP', 'DATETIME', 'TIME', 'JSON']);

export function parsePrimary(parser: Parser): Expression {
  const { kind, symbol } = parser.token;
  switch (kind) {
    case 'word':
      return parseWord(parser);
    case 'quoted-name':
      return parsePath(parser);
    case 'parameter':
      return parseParameter(parser);
    case 'string':
    case 'bytes':
    case 'integer':
    case 'float':
      return parseLiteral(parser);
    default:
      if (symbol === '(') return parseParenthesized(parser);
      if (symbol === '[') return parseArray(parser);
      throw parser.unexpected('an expression');
  }
}

function parseWord(parser: Parser): Expression {
  const { symbol, position } = parser.token;
  switch (symbol) {
    case 'TRUE':
    case 'FALSE':
    case 'NULL':
      return parseLiteral(parser);
    case 'CASE':
      return parseCase(parser);
    case 'CAST':
      return parseCast(parser);
    case 'EXTRACT':
      return parseExtract(parser);
    case 'EXISTS':
      return parseExists(parser);
    case 'ARRAY':
      return parseArray(parser);
    case 'STRUCT':
      return parseStruct(parser);
    case 'INTERVAL':
      return atIntervalName(parser) ? parsePath(parser) : parseInterval(parser);
    case 'WITH':
      if (parser.lookahead(1).symbol === '(') return parseWithExpression(parser);
      return parseNamed(parser);
    case 'UNNEST':
      throw syntaxError(position, 'UNNEST can stand in FROM and behind IN only');
    default:
      return parseNamed(parser);
  }
}

/** A typed literal, a call or a name. */
function parseNamed(parser: Parser): Expression {
  const { symbol } = parser.token;
  const next = parser.lookahead(1);
  if (next.kind === 'string') {
    const literal = parseTypedLiteral(parser);
    if (literal !== null) return literal;
  }
  if (symbol === 'SAFE_CAST' && next.symbol === '(') return parseCast(parser);
  const isCall = next.symbol === '(' && CALLABLE_RESERVED_WORDS.has(symbol);
  if (!isCall && !parser.atName()) throw parser.unexpected('an expression');
  if (CALLED_WITHOUT_PARENTHESES.has(symbol) && next.symbol !== '(' && next.symbol !== '.') {
    return callWithoutParentheses(parser);
  }
  return parsePath(parser);
}

/** Parses `DATE '2026-03-01'`; null if the word is not a type. */
function parseTypedLiteral(parser: Parser): TypedLiteralExpression | CastExpression | null {
  const { symbol, position } = parser.token;
  if (symbol === 'RANGE') throw notSupported(position, 'RANGE literals are not supported');
  if (DECIMAL_TYPES.has(symbol)) return parseDecimal(parser);
  if (!isLiteralType(symbol)) return null;
  parser.advance();
  const text = parseTexts(parser);
  return { kind: 'typed-literal', type: symbol, text, position: parser.node(position) };
}

/** Parses `NUMERIC '1.5'`. */
function parseDecimal(parser: Parser): CastExpression {
  const { symbol, position } = parser.advance();
  const type = { name: symbol, quoted: false, position };
  const operand = parseLiteral(parser);
  return { kind: 'cast', operand, type, safe: false, format: null, position: parser.node(position) };
}

function isLiteralType(symbol: string): symbol is TypedLiteralExpression['type'] {
  return LITERAL_TYPES.has(symbol);
}

function parsePath(parser: Parser): Expression {
  const start = parser.token.position;
  const parts: [Identifier, ...Identifier[]] = [parser.identifier()];
  while (parser.accept('.')) {
    if (parser.at('*')) throw notSupported(parser.token.position, '.* outside of a select list is not supported');
    parts.push(parser.nameAfterDot());
  }
  if (parser.at('(')) return parseCall(parser, parts);
  return { kind: 'path', parts, position: parser.node(start) };
}

function parseParameter(parser: Parser): Expression {
  const { value, position } = parser.advance();
  return { kind: 'parameter', name: value, position: parser.node(position) };
}

/** One text or several in a row, which are one text. */
function parseTexts(parser: Parser): string {
  const { kind } = parser.token;
  const texts = [parser.advance().value];
  while (parser.token.kind === kind) texts.push(parser.advance().value);
  return texts.join('');
}

/** @param afterMinus whether it is the operand of a minus */
export function parseLiteral(parser: Parser, afterMinus = false): LiteralExpression {
  if (parser.token.kind === 'string' || parser.token.kind === 'bytes') {
    const { kind: type, position: start } = parser.token;
    const text = parseTexts(parser);
    const literal = type === 'string' ? ({ type, value: text } as const) : ({ type, hex: text } as const);
    return { kind: 'literal', literal, position: parser.node(start) };
  }
  const { kind, symbol, value, position } = parser.advance();
  const at = parser.node(position);
  switch (kind) {
    case 'integer':
      if (value === DIGITS_OF_MINIMUM && !afterMinus) throw outOfRange(position, value);
      return { kind: 'literal', literal: { type: 'integer', digits: value }, position: at };
    case 'float':
      return { kind: 'literal', literal: { type: 'float', value: Number(value) }, position: at };
    default:
      if (symbol === 'NULL') return { kind: 'literal', literal: { type: 'null' }, position: at };
      return { kind: 'literal', literal: { type: 'bool', value: symbol === 'TRUE' }, position: at };
  }
}
