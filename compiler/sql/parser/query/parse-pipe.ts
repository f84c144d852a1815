/** Parses pipe operators: `|> WHERE ..`, `|> AGGREGATE .. GROUP BY ..`. */
import type { SourcePosition } from '../../../ast/node';
import type {
  AggregateItem,
  PipeAggregate,
  PipeBody,
  PipeExtend,
  PipeGroup,
  PipeSetOperation,
  PipeStep,
} from '../../../ast/pipes';
import type { CommonTable, LimitClause, QueryBody, QueryExpression } from '../../../ast/queries';
import { notSupported, syntaxError } from '../../parse-errors';
import { parseJoined, parseJoinOperator } from './parse-from';
import { parseSets } from './parse-group-by';
import { parsePivotClause, parseUnpivotClause } from './parse-pivot';
import { parseDirection, parseOrderItem } from './parse-order-by';
import { parseSampling } from './parse-sample';
import { parseQuantifier, parseSelectAs, parseSelectItem } from './parse-select';
import { atSetOperator, parseSetOperator } from './parse-set-operator';
import { parseNamedWindows } from './parse-window';
import type { Parser } from '../parser';

/** Parts of queries that pipe operators contain. */
export interface QueryParts {
  limit(parser: Parser): LimitClause | null;
  commonTables(parser: Parser): readonly CommonTable[];
  /** A query in parentheses. */
  branch(parser: Parser): QueryExpression;
}

/** Tokens after the trailing comma of a pipe operator's list. */
const AFTER_LIST: ReadonlySet<string> = new Set(['|>', ')', ';', 'WINDOW', 'GROUP']);
const JOINS: ReadonlySet<string> = new Set(['JOIN', 'INNER', 'CROSS', 'LEFT', 'RIGHT', 'FULL', 'NATURAL']);

/** Operators of GoogleSQL that are not supported, with what to write. */
const UNSUPPORTED: ReadonlyMap<string, string | undefined> = new Map([
  ['ASSERT', undefined],
  ['CALL', undefined],
  ['CREATE', undefined],
  ['DESCRIBE', undefined],
  ['ELSE', undefined],
  ['ELSEIF', undefined],
  ['EXPORT', undefined],
  ['FINISH', undefined],
  ['FORK', 'send one query for each branch'],
  ['IF', 'filter with |> WHERE'],
  ['INSERT', undefined],
  ['LOG', undefined],
  ['MATCH_RECOGNIZE', undefined],
  ['RECURSIVE', undefined],
  ['STATIC_DESCRIBE', undefined],
  ['TEE', undefined],
]);

/** Clauses of a SELECT that are no pipe operators. */
const CLAUSES: ReadonlyMap<string, readonly [clause: string, hint: string]> = new Map([
  ['GROUP', ['GROUP BY', 'write |> AGGREGATE ... GROUP BY ...']],
  ['HAVING', ['HAVING', 'write |> WHERE behind |> AGGREGATE']],
  ['QUALIFY', ['QUALIFY', 'write |> WHERE']],
  ['FROM', ['FROM', 'write |> JOIN, or begin the query with FROM']],
  ['OFFSET', ['OFFSET', 'write |> LIMIT n OFFSET m']],
]);

const GROUPED = 'write |> AGGREGATE COUNT(*) AS n GROUP BY x';
const FIRST_ROWS = 'write |> LIMIT n';
const COLUMNS = 'write |> SELECT x, y';

/** Operators of other languages with pipes. */
const OF_OTHERS: ReadonlyMap<string, string> = new Map([
  ['FILTER', 'write |> WHERE condition'],
  ['SEARCH', 'write |> WHERE condition'],
  ['COUNT', 'write |> AGGREGATE COUNT(*) AS n'],
  ['STATS', GROUPED],
  ['SUMMARIZE', GROUPED],
  ['PROJECT', COLUMNS],
  ['FIELDS', COLUMNS],
  ['KEEP', COLUMNS],
  ['EVAL', 'write |> EXTEND x AS name'],
  ['TAKE', FIRST_ROWS],
  ['HEAD', FIRST_ROWS],
  ['TOP', 'write |> ORDER BY x DESC |> LIMIT n'],
  ['SORT', 'write |> ORDER BY x'],
  ['DEDUP', 'write |> DISTINCT'],
  ['UNNEST', 'write |> CROSS JOIN UNNEST(x) AS name'],
]);

/**
 * Parses the operators at the cursor, one or more.
 *
 * @param start start of the source, parentheses included
 */
export function parsePipe(parser: Parser, source: QueryBody, start: SourcePosition, parts: QueryParts): PipeBody {
  const steps: PipeStep[] = [];
  let joins = 0;
  while (parser.accept('|>')) {
    parser.count('maxPipeOperators');
    const step = parseStep(parser, parts);
    // Joins nest to the left, as in FROM, so that later stages may recurse into them.
    if (step.kind === 'pipe-join') joins += 1;
    if (step.kind === 'pipe-join') parser.enter();
    steps.push(step);
  }
  parser.leave(joins);
  return { kind: 'pipe', source, steps, position: parser.node(start) };
}

function parseStep(parser: Parser, parts: QueryParts): PipeStep {
  const start = parser.token.position;
  const { symbol } = parser.token;
  switch (symbol) {
    case 'SELECT':
      return parseSelect(parser);
    case 'EXTEND':
    case 'WINDOW':
      return parseExtend(parser, symbol);
    case 'SET':
    case 'DROP':
    case 'RENAME':
    case 'AS':
      return parseColumns(parser, symbol);
    case 'WHERE': {
      parser.advance();
      return { kind: 'pipe-where', condition: parser.expression(), position: parser.node(start) };
    }
    case 'AGGREGATE':
      return parseAggregate(parser);
    case 'DISTINCT':
      parser.advance();
      return { kind: 'pipe-distinct', position: parser.node(start) };
    case 'ORDER': {
      parser.advance();
      parser.expect('BY');
      const items = parseList(parser, () => parseOrderItem(parser));
      return { kind: 'pipe-order-by', items, position: parser.node(start) };
    }
    case 'LIMIT': {
      const limit = parts.limit(parser) as LimitClause;
      return { kind: 'pipe-limit', limit, position: parser.node(start) };
    }
    case 'WITH': {
      parser.advance();
      const tables = parts.commonTables(parser);
      return { kind: 'pipe-with', tables, position: parser.node(start) };
    }
    case 'PIVOT': {
      const pivot = parsePivotClause(parser);
      return { kind: 'pipe-pivot', pivot, alias: parser.alias(), position: parser.node(start) };
    }
    case 'TABLESAMPLE': {
      const sampling = parseSampling(parser);
      return { kind: 'pipe-sample', ...sampling, position: parser.node(start) };
    }
    case 'UNPIVOT': {
      const unpivot = parseUnpivotClause(parser);
      return { kind: 'pipe-unpivot', unpivot, alias: parser.alias(), position: parser.node(start) };
    }
    default:
      return atSetOperator(parser) ? parseSetOperation(parser, parts) : parseJoin(parser);
  }
}

function parseSelect(parser: Parser): PipeStep {
  const start = parser.expect('SELECT').position;
  const distinct = parseQuantifier(parser);
  const as = parseSelectAs(parser);
  const items = parseSelectItems(parser);
  const windows = parseWindows(parser);
  return { kind: 'pipe-select', distinct, as, items, windows, position: parser.node(start) };
}

function parseExtend(parser: Parser, operator: PipeExtend['operator']): PipeExtend {
  const start = parser.expect(operator).position;
  if (parser.at('*')) throw parser.unexpected('an expression', `|> ${operator} keeps all columns`);
  const items = parseSelectItems(parser);
  const windows = operator === 'EXTEND' ? parseWindows(parser) : [];
  return { kind: 'pipe-extend', operator, items, windows, position: parser.node(start) };
}

function parseSelectItems(parser: Parser): PipeExtend['items'] {
  const items = parseList(parser, () => parseSelectItem(parser));
  parser.ensureWithin('maxOutputColumns', items.length);
  return items;
}

/** The WINDOW clause of an operator, in which a trailing comma is allowed. */
function parseWindows(parser: Parser): PipeExtend['windows'] {
  return parseNamedWindows(parser, () => atEndOfList(parser));
}

function parseColumns(parser: Parser, operator: 'SET' | 'DROP' | 'RENAME' | 'AS'): PipeStep {
  const start = parser.expect(operator).position;
  const column = () => {
    const name = parser.name('a column');
    if (parser.at('.')) throw parser.unexpected('the end of the name', `|> ${operator} takes names of columns only`);
    return name;
  };
  switch (operator) {
    case 'SET': {
      const items = parseList(parser, () => {
        const name = column();
        parser.expect('=');
        return { name, expression: parser.expression() };
      });
      return { kind: 'pipe-set', items, position: parser.node(start) };
    }
    case 'DROP':
      return { kind: 'pipe-drop', names: parseList(parser, column), position: parser.node(start) };
    case 'RENAME': {
      const items = parseList(parser, () => {
        const from = column();
        parser.accept('AS');
        return { from, to: parser.name() };
      });
      return { kind: 'pipe-rename', items, position: parser.node(start) };
    }
    case 'AS':
      return { kind: 'pipe-as', alias: parser.name(), position: parser.node(start) };
  }
}

function parseAggregate(parser: Parser): PipeAggregate {
  const start = parser.expect('AGGREGATE').position;
  const isGroup = (): boolean => parser.at('GROUP', 'BY') || parser.at('GROUP', 'AND');
  const items = isGroup() ? [] : parseList(parser, () => parseAggregateItem(parser));
  if (!isGroup()) return { kind: 'pipe-aggregate', items, groupBy: null, position: parser.node(start) };
  parser.advance();
  const ordered = parser.accept('AND');
  if (ordered) parser.expect('ORDER');
  parser.expect('BY');
  if (parser.at('ALL'))
    throw syntaxError(parser.token.position, '|> AGGREGATE takes no GROUP BY ALL', 'name the columns');
  const groups = parseList(parser, (): PipeGroup => parseSets(parser, true) ?? parseAggregateItem(parser));
  const sets = groups.find(({ kind }) => kind !== 'select-expression');
  if (ordered && sets !== undefined) {
    const hint = 'write |> ORDER BY behind |> AGGREGATE';
    throw syntaxError(sets.position, 'GROUP AND ORDER BY takes no ROLLUP, CUBE or GROUPING SETS', hint);
  }
  parser.ensureWithin('maxOutputColumns', items.length + groups.length);
  return { kind: 'pipe-aggregate', items, groupBy: { items: groups, ordered }, position: parser.node(start) };
}

function parseAggregateItem(parser: Parser): AggregateItem {
  const start = parser.token.position;
  const expression = parser.expression();
  const alias = parser.alias();
  const order = parser.at('ASC') || parser.at('DESC') ? parseDirection(parser) : null;
  return { kind: 'select-expression', expression, alias, order, position: parser.node(start) };
}

function parseSetOperation(parser: Parser, parts: QueryParts): PipeSetOperation {
  const start = parser.token.position;
  const operator = parseSetOperator(parser);
  const branches = parseList(parser, () => parts.branch(parser));
  return { kind: 'pipe-set-operation', ...operator, branches, position: parser.node(start) };
}

function parseJoin(parser: Parser): PipeStep {
  const { symbol, position } = parser.token;
  if (parser.atAny(JOINS) && symbol !== 'NATURAL') {
    const operator = parseJoinOperator(parser);
    if (operator === null) throw parser.unexpected('a pipe operator');
    const joined = parseJoined(parser, operator);
    return { kind: 'pipe-join', join: operator.join, ...joined, position: parser.node(position) };
  }
  throw refused(parser, position);
}

function refused(parser: Parser, position: SourcePosition): Error {
  const { symbol } = parser.token;
  if (UNSUPPORTED.has(symbol)) return notSupported(position, `|> ${symbol} is not supported`, UNSUPPORTED.get(symbol));
  const clause = CLAUSES.get(symbol);
  if (clause !== undefined) return syntaxError(position, `there is no |> ${clause[0]}`, clause[1]);
  return parser.unexpected('a pipe operator such as WHERE, SELECT or AGGREGATE', OF_OTHERS.get(symbol));
}

/** Items between commas, with a trailing one allowed. */
function parseList<Item>(parser: Parser, read: () => Item): Item[] {
  const items = [read()];
  while (parser.accept(',') && !atEndOfList(parser)) items.push(read());
  return items;
}

function atEndOfList(parser: Parser): boolean {
  return parser.token.kind === 'end' || parser.atAny(AFTER_LIST);
}
