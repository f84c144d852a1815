/** Parses comparisons: `=` and similar operators, LIKE, IN, BETWEEN, IS. */
import type { Expression, InExpression, IsExpression, LikeExpression } from '../../../ast/expressions';
import type { SourcePosition } from '../../../ast/node';
import { notInDialect, notSupported, syntaxError } from '../../parse-errors';
import { parseParentheses } from './parse-parentheses';
import type { Parser } from '../parser';
import { COMPARISON_OPERATORS } from './precedence';

const PREDICATES: ReadonlySet<string> = new Set(['LIKE', 'ILIKE', 'IN', 'BETWEEN']);
const QUANTIFIERS: ReadonlySet<string> = new Set(['ANY', 'ALL', 'SOME']);

/** Whether the next token is a comparison operator. */
export function atComparison(parser: Parser): boolean {
  const { symbol } = parser.token;
  if (symbol === 'NOT') return PREDICATES.has(parser.lookahead(1).symbol);
  return symbol === 'IS' || PREDICATES.has(symbol) || COMPARISON_OPERATORS.has(symbol);
}

/**
 * Comparisons do not chain, with one unambiguous exception: a comparison after a predicate, as in `x IN (1, 2) = TRUE`.
 *
 * @param start start of the first operand, parentheses included
 * @param parseOperand parses an operand of a comparison
 */
export function parseComparison(
  parser: Parser,
  first: Expression,
  start: SourcePosition,
  parseOperand: () => Expression
): Expression {
  const isPredicate = !COMPARISON_OPERATORS.has(parser.token.symbol);
  let compared = parseOne(parser, first, start, parseOperand);
  if (isPredicate && atComparison(parser)) compared = parseOne(parser, compared, start, parseOperand);
  if (atComparison(parser)) {
    throw syntaxError(
      parser.token.position,
      'a comparison cannot follow a comparison',
      'join the two with AND, or put one of them in parentheses'
    );
  }
  return compared;
}

function parseOne(parser: Parser, left: Expression, start: SourcePosition, parseOperand: () => Expression): Expression {
  const operator = COMPARISON_OPERATORS.get(parser.token.symbol);
  if (operator !== undefined) {
    parser.advance();
    const right = parseOperand();
    return { kind: 'binary', operator, left, right, position: parser.node(start) };
  }
  if (parser.accept('IS')) {
    const negated = parser.accept('NOT');
    const test = parseIsTest(parser, parseOperand);
    return { kind: 'is', operand: left, negated, test, position: parser.node(start) };
  }
  const negated = parser.accept('NOT');
  const predicate = parser.advance().symbol;
  switch (predicate) {
    case 'IN': {
      const choices = parseChoices(parser);
      return { kind: 'in', operand: left, negated, choices, position: parser.node(start) };
    }
    case 'BETWEEN': {
      const low = parseOperand();
      parser.expect('AND');
      const high = parseOperand();
      return { kind: 'between', operand: left, low, high, negated, position: parser.node(start) };
    }
    default: {
      const caseInsensitive = predicate === 'ILIKE';
      const quantifier = parseQuantifier(parser);
      const patterns = quantifier === null ? [parseOperand()] : parsePatterns(parser, quantifier);
      return {
        kind: 'like',
        operand: left,
        quantifier,
        patterns,
        negated,
        caseInsensitive,
        position: parser.node(start),
      };
    }
  }
}

/** SOME is a synonym of ANY. */
function parseQuantifier(parser: Parser): LikeExpression['quantifier'] {
  if (!parser.atAny(QUANTIFIERS)) return null;
  return parser.advance().symbol === 'ALL' ? 'ALL' : 'ANY';
}

function parsePatterns(parser: Parser, quantifier: string): readonly Expression[] {
  const { position } = parser.token;
  if (parser.at('UNNEST')) {
    throw notSupported(position, `LIKE ${quantifier} UNNEST is not supported`, `write LIKE ${quantifier} ('a%', 'b%')`);
  }
  const contents = parseParentheses(parser, parser.limits.maxInItems);
  if ('items' in contents) {
    // Each pattern is a comparison of its own, with the text as its operand.
    for (let parts = 0; parts < 2 * contents.items.length; parts++) parser.count('maxNodes');
    return contents.items;
  }
  throw notSupported(position, `LIKE ${quantifier} with a subquery is not supported`, 'join the table and use LIKE');
}

function parseIsTest(parser: Parser, parseOperand: () => Expression): IsExpression['test'] {
  const { symbol } = parser.token;
  switch (symbol) {
    case 'NULL':
    case 'TRUE':
    case 'FALSE':
    case 'UNKNOWN':
      parser.advance();
      return symbol;
    case 'DISTINCT':
      parser.advance();
      parser.expect('FROM');
      return { distinctFrom: parseOperand() };
    default:
      throw parser.unexpected('NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM');
  }
}

function parseChoices(parser: Parser): InExpression['choices'] {
  if (parser.accept('UNNEST')) {
    parser.expect('(');
    const array = parser.expression();
    parser.expect(')');
    return { kind: 'unnest', array };
  }
  if (parser.token.kind === 'parameter') {
    const { value, position } = parser.token;
    throw notInDialect(position, `write IN UNNEST(@${value})`);
  }
  if (!parser.at('(')) throw parser.unexpected('"(" or UNNEST');
  const contents = parseParentheses(parser, parser.limits.maxInItems);
  return 'query' in contents ? { kind: 'subquery', query: contents.query } : { kind: 'list', items: contents.items };
}
