/** Parses queries at any level: WITH, set operations, ORDER BY and LIMIT. */
import type { ServiceError } from '#contract/errors';
import type { SourcePosition } from '../../ast/node';
import type { CommonTable, LimitClause, QueryBody, QueryExpression, SetOperation } from '../../ast/queries';
import type { Token } from '../lexer/token';
import { notInDialect, notSelect, notSupported, syntaxError } from '../parse-errors';
import { parseCount } from './parse-count';
import { parseOrderBy } from './parse-order-by';
import { parseSelect } from './parse-select';
import type { Parser } from './parser';
import { describeToken } from './unexpected-token';

const SET_OPERATORS: ReadonlySet<string> = new Set(['UNION', 'INTERSECT', 'EXCEPT']);

export function parseQuery(parser: Parser): QueryExpression {
  const start = parser.token.position;
  const isWith = parser.accept('WITH');
  const recursive = isWith && parser.accept('RECURSIVE');
  const tables = isWith ? parseWith(parser) : [];
  const body = parseSetOperation(parser);
  const query = parseRest(parser, start, tables, body);
  return recursive ? { ...query, recursive } : query;
}

export function parseQueryFrom(parser: Parser, first: QueryBody, start: SourcePosition): QueryExpression {
  return parseRest(parser, start, [], parseSetOperationFrom(parser, first, start));
}

/** Error for a token that starts no query. */
export function refusedStatement(token: Token): ServiceError {
  const hint = token.symbol === 'FROM' ? 'write SELECT ... FROM ...' : undefined;
  return notSelect(token.position, describeToken(token), hint);
}

function parseRest(
  parser: Parser,
  start: SourcePosition,
  tables: readonly CommonTable[],
  body: QueryBody
): QueryExpression {
  const orderBy = parseOrderBy(parser);
  const limit = parseLimit(parser);
  if (parser.atAny(SET_OPERATORS)) {
    throw syntaxError(parser.token.position, 'a branch with ORDER BY or LIMIT is written in parentheses');
  }
  return { kind: 'query', with: tables, body, orderBy, limit, position: parser.node(start) };
}

function parseWith(parser: Parser): readonly CommonTable[] {
  return parser.list(() => parseCommonTable(parser));
}

function parseCommonTable(parser: Parser): CommonTable {
  const start = parser.token.position;
  const name = parser.name();
  if (parser.at('(')) throw notSupported(parser.token.position, 'a list of columns in WITH is not supported');
  parser.expect('AS');
  if (parser.at('MATERIALIZED') || parser.at('NOT', 'MATERIALIZED')) {
    throw notSupported(parser.token.position, 'AS MATERIALIZED is not supported', 'write AS (...)');
  }
  parser.expect('(');
  const query = parser.query();
  parser.expect(')');
  parser.count('maxCommonTables');
  return { kind: 'common-table', name, query, position: parser.node(start) };
}

function parseBranch(parser: Parser): QueryBody {
  if (parser.at('SELECT')) return parseSelect(parser);
  if (parser.accept('(')) {
    const query = parser.query();
    parser.expect(')');
    return query;
  }
  throw parser.token.kind === 'word' ? refusedStatement(parser.token) : parser.unexpected('SELECT');
}

function parseSetOperation(parser: Parser): QueryBody {
  const start = parser.token.position;
  return parseSetOperationFrom(parser, parseBranch(parser), start);
}

function parseSetOperationFrom(parser: Parser, first: QueryBody, start: SourcePosition): QueryBody {
  if (!parser.atAny(SET_OPERATORS)) return first;
  const branches = [first];
  parser.count('maxSetBranches');
  let operator: SetOperation['operator'] | null = null;
  while (parser.atAny(SET_OPERATORS)) {
    const { position } = parser.token;
    const next = parseSetOperator(parser);
    if (operator !== null && operator !== next) {
      throw syntaxError(position, `${operator} and ${next} cannot be mixed`, 'put one of them in parentheses');
    }
    operator = next;
    parser.count('maxSetBranches');
    branches.push(parseBranch(parser));
  }
  if (operator === null) return first;
  return { kind: 'set-operation', operator, branches, position: parser.node(start) };
}

function parseSetOperator(parser: Parser): SetOperation['operator'] {
  const { symbol, position } = parser.advance();
  const isUnion = symbol === 'UNION';
  if (!parser.at('ALL') && !parser.at('DISTINCT')) {
    const expected = isUnion ? 'ALL or DISTINCT' : 'DISTINCT';
    throw parser.unexpected(expected, `write ${isUnion ? 'UNION ALL or UNION DISTINCT' : `${symbol} DISTINCT`}`);
  }
  const quantifier = parser.advance().symbol;
  if (!isUnion && quantifier === 'ALL') throw notSupported(position, `${symbol} ALL is not supported`);
  const operator = `${symbol} ${quantifier}` as SetOperation['operator'];
  if (parser.at('BY') || parser.at('CORRESPONDING')) {
    throw notSupported(
      parser.token.position,
      `${operator} by name is not supported`,
      'columns are matched by their order'
    );
  }
  return operator;
}

function parseLimit(parser: Parser): LimitClause | null {
  const start = parser.token.position;
  if (!parser.accept('LIMIT')) return null;
  if (parser.at('ALL'))
    throw notInDialect(parser.token.position, 'LIMIT ALL is not part of this dialect; leave it out');
  const count = parseCount(parser);
  if (parser.at(',')) throw notInDialect(parser.token.position, 'write LIMIT n OFFSET m');
  const offset = parser.accept('OFFSET') ? parseCount(parser) : null;
  return { kind: 'limit', count, offset, position: parser.node(start) };
}
