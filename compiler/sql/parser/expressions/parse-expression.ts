/**
 * Parses expressions by precedence climbing. A chain of operators of one precedence (`a AND b AND c`) is built in a
 * loop and nests to the left; it counts nodes, but not depth.
 */
import type { Expression, UnaryExpression } from '../../../ast/expressions';
import type { SourcePosition } from '../../../ast/node';
import { DIGITS_OF_MINIMUM } from '../../lexer/read-number';
import { syntaxError } from '../../parse-errors';
import { atComparison, parseComparison } from './parse-comparison';
import { parsePostfix } from './parse-postfix';
import { parseLiteral, parsePrimary } from './parse-primary';
import type { Parser } from '../parser';
import { BINARY_LEVELS, LEVEL } from './precedence';

export function parseExpression(parser: Parser): Expression {
  return parseOperand(parser, LEVEL.OR);
}

/** Parses an operand of a comparison. */
export function parseComparedOperand(parser: Parser): Expression {
  return parseOperand(parser, LEVEL.COMPARISON + 1);
}

export function parseExpressionFrom(parser: Parser, operand: Expression, start: SourcePosition): Expression {
  return parseOperators(parser, parsePostfix(parser, operand, start), LEVEL.OR, start);
}

/** Parses an operand whose operators bind at least as tightly as `level`. */
function parseOperand(parser: Parser, level: number): Expression {
  const start = parser.token.position;
  return parseOperators(parser, parsePrefix(parser, level), level, start);
}

function parsePrefix(parser: Parser, level: number): Expression {
  const { symbol, position } = parser.token;
  switch (symbol) {
    case 'NOT':
      if (level > LEVEL.NOT) {
        throw syntaxError(position, 'NOT behind an operator is written in parentheses', 'write (NOT ...)');
      }
      return parseUnary(parser, symbol, LEVEL.NOT);
    case '-':
    case '+':
    case '~':
      return parseUnary(parser, symbol, LEVEL.UNARY);
    default:
      return parsePostfix(parser, parsePrimary(parser), position);
  }
}

/** Each unary operator counts towards the depth limit. */
function parseUnary(parser: Parser, operator: UnaryExpression['operator'], level: number): Expression {
  const start = parser.advance().position;
  const { kind, value } = parser.token;
  parser.enter();
  const operand =
    operator === '-' && kind === 'integer' && value === DIGITS_OF_MINIMUM
      ? parseLiteral(parser, true)
      : parseOperand(parser, level);
  parser.leave();
  return { kind: 'unary', operator, operand, position: parser.node(start) };
}

function parseOperators(parser: Parser, first: Expression, level: number, start: SourcePosition): Expression {
  let left = first;
  for (;;) {
    const operator = BINARY_LEVELS.get(parser.token.symbol);
    if (operator !== undefined && operator.level >= level) {
      parser.advance();
      const right = parseOperand(parser, operator.level + 1);
      left = { kind: 'binary', operator: operator.operator, left, right, position: parser.node(start) };
    } else if (level <= LEVEL.COMPARISON && atComparison(parser)) {
      left = parseComparison(parser, left, start, () => parseOperand(parser, LEVEL.COMPARISON + 1));
    } else {
      return left;
    }
  }
}
