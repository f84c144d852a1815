/** Parses parentheses in expressions: a subquery, one expression (without a node of its own) or several. */
import type { Expression } from '../../../ast/expressions';
import type { SourcePosition } from '../../../ast/node';
import type { QueryExpression } from '../../../ast/queries';
import type { Parser } from '../parser';
import { atQueryContinuation, atQueryStart } from '../query/query-continuation';

export type ParenthesesContents = { readonly query: QueryExpression } | { readonly items: readonly Expression[] };

/** Parses parentheses as an operand. */
export function parseParenthesized(parser: Parser): Expression {
  const start = parser.token.position;
  return toExpression(parser, start, parseParentheses(parser));
}

/**
 * Parses without backtracking, and therefore in linear time: after `((SELECT ..)` the next token decides whether the
 * inner query is a branch of a larger one or an operand.
 *
 * @param maxItems maximum number of expressions, for the values of IN
 */
export function parseParentheses(parser: Parser, maxItems?: number): ParenthesesContents {
  parser.expect('(');
  if (atQueryStart(parser)) {
    parser.count('maxSubqueries');
    const query = parser.query();
    parser.expect(')');
    return { query };
  }
  const first = parser.at('(') ? parseInnerParentheses(parser) : parser.expression();
  if (first.kind === 'query') {
    parser.expect(')');
    return { query: first };
  }
  const items = [first];
  while (parser.accept(',')) {
    items.push(parser.expression());
    if (maxItems !== undefined) parser.ensureWithin('maxInItems', items.length);
  }
  parser.expect(')');
  return { items };
}

function parseInnerParentheses(parser: Parser): Expression | QueryExpression {
  const start = parser.token.position;
  parser.enter();
  const contents = parseParentheses(parser);
  const isQuery = 'query' in contents && atQueryContinuation(parser);
  const inner = isQuery
    ? parser.queryFrom(contents.query, start)
    : parser.expressionFrom(toExpression(parser, start, contents), start);
  parser.leave();
  return inner;
}

function toExpression(parser: Parser, start: SourcePosition, contents: ParenthesesContents): Expression {
  if ('query' in contents) return { kind: 'subquery', query: contents.query, position: parser.node(start) };
  const [only, ...others] = contents.items;
  if (only !== undefined && others.length === 0) return only;
  return { kind: 'tuple', items: contents.items, position: parser.node(start) };
}
