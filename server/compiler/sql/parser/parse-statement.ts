/**
 * The door of the SQL parser: text in, tree out. It knows no names and no types. Every token becomes part of the tree or
 * is refused with its place; the limits are checked while reading, so a returned tree is within all of them.
 */
import type { QueryExpression } from '../../ast/queries';
import { tokenize } from '../lexer/tokenize';
import { emptyQuery, multipleStatements } from '../parse-errors';
import { AD_HOC_LIMITS, type ParseLimits } from '../parse-limits';
import { parseExpression, parseExpressionFrom } from './parse-expression';
import { parseQuery, parseQueryFrom, refusedStatement } from './parse-query';
import { type Grammar, Parser } from './parser';

const GRAMMAR: Grammar = {
  expression: parseExpression,
  expressionFrom: parseExpressionFrom,
  query: parseQuery,
  queryFrom: parseQueryFrom,
};

/**
 * Reads one query; semicolons behind it are allowed.
 *
 * @param limits `AD_HOC_LIMITS` unless given
 * @throws ServiceError `sql_empty`, `sql_syntax`, `sandbox_violation` (rule `statement` or `table`) or
 *   `query_too_complex`, with `details.reason` (a `ParseReason`) and `details.position`
 */
export function parseStatement(text: string, limits: ParseLimits = AD_HOC_LIMITS): QueryExpression {
  const tokens = tokenize(text, limits);
  const parser = new Parser(tokens, limits, GRAMMAR);
  if (tokens.every(({ kind, symbol }) => kind === 'end' || symbol === ';')) throw emptyQuery(parser.token.position);
  if (!parser.at('SELECT') && !parser.at('WITH') && !parser.at('(')) throw refusedStatement(parser.token);
  const query = parser.query();
  finish(parser);
  return query;
}

function finish(parser: Parser): void {
  if (parser.token.kind !== 'end' && !parser.at(';')) throw parser.unexpected('the end of the query');
  while (parser.accept(';'));
  if (parser.token.kind !== 'end') throw multipleStatements(parser.token.position);
}
