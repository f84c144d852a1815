/** Parses the number of LIMIT and OFFSET: an integer, a parameter or a cast of one. */
import type { Expression } from '../../../ast/expressions';
import { DIGITS_OF_MINIMUM, outOfRange } from '../../lexer/read-number';
import type { Parser } from '../parser';
import { parseCast } from './parse-forms';

export function parseCount(parser: Parser): Expression {
  if (parser.at('CAST', '(') || parser.at('SAFE_CAST', '(')) return parseCast(parser);
  const { kind, value, position } = parser.token;
  if (kind === 'parameter') {
    parser.advance();
    return { kind: 'parameter', name: value, position: parser.node(position) };
  }
  if (kind !== 'integer') throw parser.unexpected('a whole number or a parameter');
  if (value === DIGITS_OF_MINIMUM) throw outOfRange(position, value);
  parser.advance();
  return { kind: 'literal', literal: { type: 'integer', digits: value }, position: parser.node(position) };
}
