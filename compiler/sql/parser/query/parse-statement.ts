/**
 * SQL parser: converts text to a syntax tree without resolving names and types. Every token becomes part of the tree or
 * is refused with its position. Limits are checked while parsing.
 */
import type { QueryExpression } from '../../../ast/queries';
import { tokenize } from '../../lexer/tokenize';
import { emptyQuery, multipleStatements, tooComplex } from '../../parse-errors';
import { AD_HOC_LIMITS, type ParseLimits } from '../../parse-limits';
import { parseComparedOperand, parseExpression, parseExpressionFrom } from '../expressions/parse-expression';
import { parseQuery, parseQueryFrom, refusedStatement } from './parse-query';
import { type Grammar, Parser } from '../parser';
import { atQueryStart } from './query-continuation';

const GRAMMAR: Grammar = {
  expression: parseExpression,
  operand: parseComparedOperand,
  expressionFrom: parseExpressionFrom,
  query: parseQuery,
  queryFrom: parseQueryFrom,
};

/**
 * Parses one query, optionally followed by semicolons.
 *
 * @param limits default: `AD_HOC_LIMITS`
 * @throws ServiceError `sql_empty`, `sql_syntax`, `sandbox_violation` (rule `statement` or `table`) or
 * `query_too_complex`, with `details.reason` (a `ParseReason`) and `details.position`
 */
export function parseStatement(text: string, limits: ParseLimits = AD_HOC_LIMITS): QueryExpression {
  ensureSize(text, limits);
  const tokens = tokenize(text);
  const parser = new Parser(tokens, limits, GRAMMAR);
  if (tokens.every(({ kind, symbol }) => kind === 'end' || symbol === ';')) throw emptyQuery(parser.token.position);
  if (!atQueryStart(parser) && !parser.at('(')) throw refusedStatement(parser);
  const query = parser.query();
  finish(parser);
  return query;
}

/** @throws ServiceError `query_too_complex` */
function ensureSize(text: string, { maxBytes }: ParseLimits): void {
  if (text.length <= maxBytes && Buffer.byteLength(text, 'utf8') <= maxBytes) return;
  throw tooComplex({ offset: 0, end: 1, line: 1, column: 1 }, 'maxBytes', maxBytes);
}

function finish(parser: Parser): void {
  if (parser.token.kind !== 'end' && !parser.at(';')) throw parser.unexpected('the end of the query');
  while (parser.accept(';'));
  if (parser.token.kind !== 'end') throw multipleStatements(parser.token.position);
}
