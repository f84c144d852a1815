/** Parses queries at any level: WITH, set operations, ORDER BY and LIMIT. */
import type { ServiceError } from '#contract/errors';
import type { SourcePosition } from '../../../ast/node';
import type { FromBody } from '../../../ast/pipes';
import type { CommonTable, LimitClause, QueryBody, QueryExpression, SetOperator } from '../../../ast/queries';
import { LIST_OF_TABLES, notInDialect, notSelect, notSupported, syntaxError } from '../../parse-errors';
import { printSetOperator } from '../../canonical/query/print-set-operator';
import { parseCount } from '../expressions/parse-count';
import { parseFrom } from './parse-from';
import { parseOrderBy } from './parse-order-by';
import { parsePipe, type QueryParts } from './parse-pipe';
import { parseSelect } from './parse-select';
import { atSetOperator, parseSetOperator, sameOperator } from './parse-set-operator';
import type { Parser } from '../parser';
import { misspelledKeyword } from '../syntax-hints';
import { describeToken } from '../unexpected-token';

/** Clauses of a SELECT and the pipe operators to write behind a FROM without SELECT. */
const INSTEAD_OF_CLAUSES: ReadonlyMap<string, string> = new Map([
  ['WHERE', 'WHERE'],
  ['GROUP', 'AGGREGATE ... GROUP BY'],
  ['HAVING', 'WHERE behind |> AGGREGATE'],
  ['QUALIFY', 'WHERE'],
  ['WINDOW', 'EXTEND ... WINDOW'],
  ['SELECT', 'SELECT'],
  ['ORDER', 'ORDER BY'],
  ['LIMIT', 'LIMIT'],
  ['UNION', 'UNION'],
  ['INTERSECT', 'INTERSECT'],
  ['EXCEPT', 'EXCEPT'],
]);

/** Parts of queries that pipe operators share. */
const PARTS: QueryParts = {
  limit: parseLimit,
  commonTables: (parser) => parseWith(parser, true),
  branch: parsePipeBranch,
};

export function parseQuery(parser: Parser): QueryExpression {
  const start = parser.token.position;
  const isWith = parser.accept('WITH');
  const recursive = isWith && parser.accept('RECURSIVE');
  const tables = isWith ? parseWith(parser) : [];
  if (isWith && parser.at('|>')) throw parser.unexpected('SELECT or FROM', 'WITH is followed by a query');
  if (isWith && parser.lookahead(1).symbol === 'AS' && parser.lookahead(2).symbol === '(') {
    throw parser.unexpected('SELECT', 'a comma stands between queries of WITH');
  }
  const bodyStart = parser.token.position;
  const body = parser.at('FROM') ? parseFromBody(parser) : parseSetOperation(parser);
  const query = parseRest(parser, start, tables, body, bodyStart);
  return recursive ? { ...query, recursive } : query;
}

export function parseQueryFrom(parser: Parser, first: QueryBody, start: SourcePosition): QueryExpression {
  return parseRest(parser, start, [], parseSetOperationFrom(parser, first, start));
}

/** Error for a text that starts with no query. */
export function refusedStatement(parser: Parser): ServiceError {
  const { position, symbol } = parser.token;
  const hint = hintByStart(parser) ?? OTHER_STATEMENTS.get(symbol) ?? misspelledKeyword(parser.token);
  return notSelect(position, describeToken(parser.token), hint);
}

/** For texts that start with the name of a table or of a field. */
function hintByStart(parser: Parser): string | undefined {
  const { symbol } = parser.lookahead(1);
  if (startsAsLql(parser)) return 'send LQL in the parameter lql';
  return symbol === '|' || symbol === '|>' ? 'begin with FROM, as in FROM table |> WHERE condition' : undefined;
}

const OTHER_STATEMENTS: ReadonlyMap<string, string> = new Map([
  ...['SHOW', 'DESCRIBE', 'DESC'].map((word) => [word, LIST_OF_TABLES] as const),
  ['EXPLAIN', 'send the SELECT alone'],
  ...['DECLARE', 'SET'].map((word) => [word, 'name values in a WITH query, as in WITH v AS (SELECT 5 AS n)'] as const),
]);

/** Whether the text starts with a field and a colon, as in `f:edge_logs` and `m.request.path:x`. */
function startsAsLql(parser: Parser): boolean {
  let distance = 1;
  while (parser.lookahead(distance).symbol === '.') distance += 2;
  return parser.lookahead(distance).symbol === ':';
}

function parseRest(
  parser: Parser,
  start: SourcePosition,
  tables: readonly CommonTable[],
  body: QueryBody,
  bodyStart = start
): QueryExpression {
  const orderBy = parseOrderBy(parser);
  const limit = parseLimit(parser);
  if (atSetOperator(parser)) {
    throw syntaxError(parser.token.position, 'a branch with ORDER BY or LIMIT is written in parentheses');
  }
  if (!parser.at('|>')) return { kind: 'query', with: tables, body, orderBy, limit, position: parser.node(start) };
  const source: QueryBody =
    orderBy.length === 0 && limit === null
      ? body
      : { kind: 'query', with: [], body, orderBy, limit, position: parser.node(bodyStart) };
  const pipe = parsePipe(parser, source, bodyStart, PARTS);
  return { kind: 'query', with: tables, body: pipe, orderBy: [], limit: null, position: parser.node(start) };
}

function parseFromBody(parser: Parser): FromBody {
  const start = parser.expect('FROM').position;
  const body: FromBody = { kind: 'from', from: parseFrom(parser), position: parser.node(start) };
  const { symbol, position } = parser.token;
  const operator = INSTEAD_OF_CLAUSES.get(symbol);
  if (operator === undefined) return body;
  const clause = symbol === 'GROUP' || symbol === 'ORDER' ? `${symbol} BY` : symbol;
  throw syntaxError(position, `a query that begins with FROM takes no ${clause}`, `write |> ${operator}`);
}

function parseWith(parser: Parser, isOperator = false): readonly CommonTable[] {
  if (isOperator && parser.at('RECURSIVE')) {
    const hint = 'write WITH RECURSIVE at the beginning of the query';
    throw notSupported(parser.token.position, '|> WITH RECURSIVE is not supported', hint);
  }
  const tables = [parseCommonTable(parser)];
  // As the last part of a pipe operator it may end with a comma.
  while (parser.accept(',') && !(isOperator && parser.at('|>'))) {
    if (parser.at('SELECT')) throw parser.unexpected('a name', 'leave out the comma before SELECT');
    tables.push(parseCommonTable(parser));
  }
  return tables;
}

function parseCommonTable(parser: Parser): CommonTable {
  const start = parser.token.position;
  const name = parser.name();
  if (parser.at('(')) {
    const hint = 'name the columns in its SELECT: SELECT x AS name';
    throw notSupported(parser.token.position, 'a list of columns in WITH is not supported', hint);
  }
  parser.expect('AS');
  if (parser.at('MATERIALIZED') || parser.at('NOT', 'MATERIALIZED')) {
    throw notSupported(parser.token.position, 'AS MATERIALIZED is not supported', 'write AS (...)');
  }
  parser.expect('(');
  const query = parser.query();
  parser.expect(')');
  if (parser.at('WITH', 'DEPTH')) {
    const hint = 'count the steps in a column: SELECT 0 AS depth ... UNION ALL SELECT depth + 1 ...';
    throw notSupported(parser.token.position, 'WITH DEPTH is not supported', hint);
  }
  parser.count('maxCommonTables');
  return { kind: 'common-table', name, query, position: parser.node(start) };
}

function parsePipeBranch(parser: Parser): QueryExpression {
  parser.count('maxSetBranches');
  return parseParenthesized(parser);
}

function parseParenthesized(parser: Parser): QueryExpression {
  parser.expect('(');
  const query = parser.query();
  parser.expect(')');
  return query;
}

/** `(query) AS t |> ..`, which is the same as `FROM (query) AS t |> ..`. */
function parseNamedSource(parser: Parser, query: QueryExpression, start: SourcePosition): FromBody {
  const alias = parser.alias();
  if (!parser.at('|>')) throw parser.unexpected('"|>"');
  const from = { kind: 'derived', query, alias, position: parser.node(start) } as const;
  return { kind: 'from', from, position: from.position };
}

function parseBranch(parser: Parser): QueryBody {
  if (parser.at('SELECT')) return parseSelect(parser);
  if (parser.at('(')) {
    const start = parser.token.position;
    const query = parseParenthesized(parser);
    return parser.at('AS') ? parseNamedSource(parser, query, start) : query;
  }
  if (parser.at('FROM')) throw parser.unexpected('SELECT', 'a branch that begins with FROM is written in parentheses');
  throw parser.token.kind === 'word' ? refusedStatement(parser) : parser.unexpected('SELECT');
}

function parseSetOperation(parser: Parser): QueryBody {
  const start = parser.token.position;
  return parseSetOperationFrom(parser, parseBranch(parser), start);
}

function parseSetOperationFrom(parser: Parser, first: QueryBody, start: SourcePosition): QueryBody {
  if (!atSetOperator(parser)) return first;
  const branches: [QueryBody, ...QueryBody[]] = [first];
  parser.count('maxSetBranches');
  let operator: SetOperator | null = null;
  while (atSetOperator(parser)) {
    const { position } = parser.token;
    const next = parseSetOperator(parser);
    if (operator !== null && !sameOperator(operator, next)) {
      const [before, after] = [printSetOperator(operator), printSetOperator(next)];
      throw syntaxError(position, `${before} and ${after} cannot be mixed`, 'put one of them in parentheses');
    }
    operator = next;
    parser.count('maxSetBranches');
    branches.push(parseBranch(parser));
  }
  if (operator === null) return first;
  return { kind: 'set-operation', ...operator, branches, position: parser.node(start) };
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
