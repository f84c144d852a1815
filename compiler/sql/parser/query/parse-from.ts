/** Parses FROM: tables, derived tables, UNNEST, joins and parentheses. */
import type { Expression } from '../../../ast/expressions';
import type { Identifier, SourcePosition } from '../../../ast/node';
import type { FromItem, JoinItem, ParenthesizedFrom, QueryExpression, UnnestItem } from '../../../ast/queries';
import { notInDialect, notSupported, syntaxError, tableFunction } from '../../parse-errors';
import { atTableOperator, parseTableOperator } from './parse-pivot';
import { parseSample } from './parse-sample';
import type { Parser } from '../parser';
import { atSetOperator } from './parse-set-operator';
import { atQueryContinuation, atQueryStart } from './query-continuation';

/** Unreserved keywords of other dialects. As aliases they would silently change the meaning. */
const FOREIGN_JOINS: ReadonlyMap<string, string> = new Map([
  ['SEMI', 'write WHERE x IN (SELECT ...), or WHERE EXISTS (SELECT ...)'],
  ['ANTI', 'write WHERE NOT EXISTS (SELECT ...)'],
  ['ASOF', 'write LEFT JOIN LATERAL (SELECT ... ORDER BY timestamp DESC LIMIT 1) AS x ON TRUE'],
  ['POSITIONAL', 'join by ROW_NUMBER() OVER (ORDER BY x)'],
  ['GLOBAL', 'leave GLOBAL out'],
]);

const VALUES_HINT = 'write FROM UNNEST([STRUCT(1 AS a, 2 AS b), (3, 4)])';

/** Parses the part after FROM. */
export function parseFrom(parser: Parser): FromItem {
  return parseJoins(parser, parseItem(parser));
}

/** Joins nest to the left. Each counts towards the depth limit, so later stages may recurse into `left`. */
function parseJoins(parser: Parser, first: FromItem): FromItem {
  let left = first;
  let levels = 0;
  for (let operator = parseJoinOperator(parser); operator !== null; operator = parseJoinOperator(parser)) {
    parser.enter();
    levels += 1;
    const right = parseInnerJoins(parser, operator, parseRight(parser));
    const condition = parseJoinCondition(parser, operator, right);
    left = { kind: 'join', ...operator, left, right, ...condition, position: parser.node(left.position) };
  }
  parser.leave(levels);
  return left;
}

/** Parses the item to the right of a join operator, and the condition. */
export function parseJoined(parser: Parser, operator: JoinOperator): Pick<JoinItem, 'right' | 'on' | 'using'> {
  const right = parseRight(parser);
  return { right, ...parseJoinCondition(parser, operator, right) };
}

function parseRight(parser: Parser): FromItem {
  const right = parser.at('LATERAL') ? parseLateral(parser) : parseItem(parser);
  if (!opensField(right)) parser.count('maxJoins');
  return right;
}

/** `a JOIN b JOIN c ON .. ON ..` is `a JOIN (b JOIN c ON ..) ON ..`. */
function parseInnerJoins(parser: Parser, { join }: JoinOperator, right: FromItem): FromItem {
  if (join === 'CROSS' || right.kind === 'lateral' || mayLackCondition(right) || !atJoin(parser)) return right;
  const missing = parser.unexpected('ON or USING');
  const item = parseJoins(parser, right);
  if (!parser.at('ON') && !parser.at('USING')) throw missing;
  return { kind: 'parenthesized', item, position: parser.node(right.position) };
}

const JOIN_WORDS: ReadonlySet<string> = new Set(['JOIN', 'INNER', 'LEFT', 'RIGHT', 'FULL']);

function atJoin(parser: Parser): boolean {
  return parser.atAny(JOIN_WORDS) && !atSetOperator(parser);
}

function opensField(item: FromItem): boolean {
  return item.kind === 'unnest' ? item.array.kind === 'path' : item.kind === 'table' && item.path.length > 1;
}

export type JoinOperator = Pick<JoinItem, 'join' | 'comma'>;

export function parseJoinOperator(parser: Parser): JoinOperator | null {
  if (parser.accept(',')) return { join: 'CROSS', comma: true };
  if (parser.accept('JOIN')) return { join: 'INNER', comma: false };
  if (atSetOperator(parser)) return null;
  const join = parser.token.symbol;
  switch (join) {
    case 'CROSS':
    case 'INNER':
      parser.advance();
      break;
    case 'LEFT':
    case 'RIGHT':
    case 'FULL':
      parser.advance();
      parser.accept('OUTER');
      break;
    default:
      return null;
  }
  refuseForeignJoin(parser);
  parser.expect('JOIN');
  return { join, comma: false };
}

function parseJoinCondition(
  parser: Parser,
  { join, comma }: JoinOperator,
  right: FromItem
): Pick<JoinItem, 'on' | 'using'> {
  if (join === 'CROSS') {
    if (!parser.at('ON') && !parser.at('USING')) return { on: null, using: [] };
    const { symbol, position } = parser.token;
    throw syntaxError(position, `${comma ? 'a comma' : 'CROSS JOIN'} takes no ${symbol}`, 'write JOIN ... ON ...');
  }
  if (parser.accept('ON')) return { on: parser.expression(), using: [] };
  if (parser.accept('USING')) return { on: null, using: parseUsing(parser) };
  // Whether a dotted name is an array of a table to the left or a table, the resolver knows.
  const isLateral = join === 'LEFT' && right.kind === 'lateral';
  if (!isLateral && !mayLackCondition(right)) throw parser.unexpected('ON or USING');
  return { on: null, using: [] };
}

function mayLackCondition(right: FromItem): boolean {
  return opensField(right) || right.kind === 'unnest';
}

function parseUsing(parser: Parser): readonly Identifier[] {
  parser.expect('(');
  const names = parser.list(() => parser.name());
  parser.expect(')');
  return names;
}

function parseItem(parser: Parser): FromItem {
  const { kind, symbol, value, position } = parser.token;
  if (symbol === '(') return parseParenthesized(parser);
  if (symbol === 'UNNEST') return parseUnnest(parser);
  if (symbol === 'LATERAL') throw parser.unexpected('a table');
  if (parser.at('VALUES', '(')) throw notSupported(position, 'VALUES is not supported', VALUES_HINT);
  if (parser.atName()) return parseTable(parser);
  // A reserved word or a string before parentheses: `range(3)`, `"read_text"('/etc/passwd')`.
  if ((kind === 'word' || kind === 'string') && parser.lookahead(1).symbol === '(')
    throw tableFunction(position, value);
  throw parser.unexpected('a table');
}

function parseLateral(parser: Parser): FromItem {
  const start = parser.expect('LATERAL').position;
  parser.expect('(');
  const query = parser.query();
  parser.expect(')');
  const alias = parseTableAlias(parser);
  return { kind: 'lateral', query, alias, position: parser.node(start) };
}

function parseTable(parser: Parser): FromItem {
  const start = parser.token.position;
  const path: [Identifier, ...Identifier[]] = [parser.name()];
  while (parser.accept('.')) path.push(parser.nameAfterDot());
  if (parser.at('(')) throw tableFunction(start, path.map(({ name }) => name).join('.'));
  if (parser.at('-')) throw parser.unexpected('the end of the name', 'a name with dashes is written in backticks');
  const alias = parseTableAlias(parser);
  const offset = path.length > 1 ? parseOffset(parser) : null;
  return parseTableOperator(parser, { kind: 'table', path, alias, offset, position: parser.node(start) });
}

function parseTableAlias(parser: Parser): Identifier | null {
  refuseTableOperator(parser);
  refuseForeignJoin(parser);
  if (atTableOperator(parser)) return null;
  const alias = parser.alias();
  if (alias !== null && parser.at('(')) {
    throw notSupported(parser.token.position, 'names of columns behind an alias are not supported');
  }
  refuseTableOperator(parser);
  refuseForeignJoin(parser);
  return alias;
}

function refuseTableOperator(parser: Parser): void {
  if (parser.at('MATCH_RECOGNIZE', '(')) {
    throw notSupported(parser.token.position, 'MATCH_RECOGNIZE is not supported');
  }
}

function refuseForeignJoin(parser: Parser): void {
  const { symbol, position } = parser.token;
  if (!FOREIGN_JOINS.has(symbol)) return;
  const next = parser.lookahead(1).symbol;
  if (next === 'JOIN' || next === 'LEFT' || next === 'INNER') {
    throw notSupported(position, `${symbol} JOIN is not supported`, FOREIGN_JOINS.get(symbol));
  }
}

function parseUnnest(parser: Parser): UnnestItem {
  const start = parser.expect('UNNEST').position;
  parser.expect('(');
  const array: Expression = parser.expression();
  if (parser.at(',') || parser.at('AS')) throw severalArrays(parser);
  parser.expect(')');
  const alias = parseTableAlias(parser);
  const offset = parseOffset(parser);
  return { kind: 'unnest', array, alias, offset, position: parser.node(start) };
}

function severalArrays({ token: { position } }: Parser): Error {
  const hint = 'for arrays of one length write UNNEST(ARRAY_ZIP(a, b)) AS x, and x.a, x.b';
  return notSupported(position, 'UNNEST of several arrays is not supported', hint);
}

function parseOffset(parser: Parser): Identifier | null {
  if (!parser.accept('WITH')) return null;
  if (parser.at('ORDINALITY')) {
    throw notInDialect(parser.token.position, 'WITH ORDINALITY is not part of this dialect; use WITH OFFSET');
  }
  const { position } = parser.expect('OFFSET');
  return parser.alias() ?? { name: 'offset', quoted: false, position };
}

function parseDerived(parser: Parser, start: SourcePosition, query: QueryExpression): FromItem {
  const alias = parseTableAlias(parser);
  return parseTableOperator(parser, { kind: 'derived', query, alias, position: parser.node(start) });
}

/** Contents of parentheses in FROM: a query, or tables and joins. */
type Contents<Item = ParenthesizedFrom> = { readonly query: QueryExpression } | { readonly item: Item };

function sampledItem(parser: Parser, item: ParenthesizedFrom): FromItem {
  return parser.at('TABLESAMPLE') ? parseSample(parser, item) : item;
}

function parseParenthesized(parser: Parser): FromItem {
  const start = parser.token.position;
  const contents = parseParentheses(parser);
  return 'query' in contents ? parseDerived(parser, start, contents.query) : sampledItem(parser, contents.item);
}

/**
 * Parses without backtracking: after `((SELECT ..)` the next token decides whether the inner query is a branch of a
 * larger one, or a derived table followed by an alias or a join.
 */
function parseParentheses(parser: Parser): Contents {
  const start = parser.expect('(').position;
  if (atQueryStart(parser)) {
    const query = parser.query();
    parser.expect(')');
    return { query };
  }
  parser.enter();
  const inner = parser.at('(') ? parseInnerParentheses(parser) : { item: parseFrom(parser) };
  parser.leave();
  parser.expect(')');
  if ('query' in inner) return inner;
  return { item: { kind: 'parenthesized', item: inner.item, position: parser.node(start) } };
}

function parseInnerParentheses(parser: Parser): Contents<FromItem> {
  const start = parser.token.position;
  const contents = parseParentheses(parser);
  if ('item' in contents) return { item: parseJoins(parser, sampledItem(parser, contents.item)) };
  if (atQueryContinuation(parser)) return { query: parser.queryFrom(contents.query, start) };
  return { item: parseJoins(parser, parseDerived(parser, start, contents.query)) };
}
