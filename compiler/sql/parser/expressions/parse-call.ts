/** Parses calls: modifiers of aggregates inside the parentheses, and the window after them. */
import { callExpression, NO_MODIFIERS } from '../../../ast/call';
import type { CallExpression, HavingExtreme, InnerGroups } from '../../../ast/expressions';
import type { Identifier, SourcePosition } from '../../../ast/node';
import { notInDialect, syntaxError } from '../../parse-errors';
import { parseCount } from './parse-count';
import { atLambda, parseLambda } from './parse-lambda';
import { parseNamedArguments } from './parse-named-arguments';
import { parseOrderBy } from '../query/parse-order-by';
import { parseWindow } from '../query/parse-window';
import type { Parser } from '../parser';

/** @param parts the name, including `SAFE.`; the opening parenthesis is next */
export function parseCall(parser: Parser, parts: readonly Identifier[]): CallExpression {
  const quoted = parts.find((part) => part.quoted);
  if (quoted !== undefined) {
    throw syntaxError(quoted.position, 'the name of a function is written without backticks');
  }
  const words = parts.map((part) => part.name.toUpperCase());
  const safe = words.length > 1 && words[0] === 'SAFE';
  const name = words.slice(safe ? 1 : 0).join('.');
  const namePosition = spanOf(parts, parser.token.position);
  const call = parseArguments(parser, name);
  const over = parser.accept('OVER') ? parseWindow(parser) : null;
  return { kind: 'call', name, namePosition, safe, ...call, over, position: parser.node(namePosition) };
}

/** Parses `CURRENT_TIMESTAMP` and similar functions without parentheses. */
export function callWithoutParentheses(parser: Parser): CallExpression {
  const { symbol, position } = parser.advance();
  return { ...callExpression(symbol, [], parser.node(position)), namePosition: position };
}

/** `name` is set if the arguments make it a call of another function. */
type CallArguments = Pick<
  CallExpression,
  'args' | 'star' | 'distinct' | 'nulls' | 'where' | 'having' | 'groups' | 'orderBy' | 'limit'
> &
  Partial<Pick<CallExpression, 'name'>>;

const NO_ARGUMENTS: CallArguments = { args: [], ...NO_MODIFIERS };

function parseArguments(parser: Parser, name: string): CallArguments {
  parser.expect('(');
  const star = (name === 'COUNT' || parser.at('*', ')')) && parser.accept('*');
  const call =
    star || parser.at(')') ? { ...NO_ARGUMENTS, star, ...parseRows(parser) } : parseSomeArguments(parser, name);
  parser.expect(')');
  if (parser.at('FILTER', '(')) {
    throw notInDialect(
      parser.token.position,
      'FILTER is not part of this dialect; write the condition inside of the parentheses, as in SUM(x WHERE y > 0)',
      'for a count write COUNTIF(condition)'
    );
  }
  return call;
}

function parseSomeArguments(parser: Parser, name: string): CallArguments {
  const distinct = parser.accept('DISTINCT');
  const args =
    parseNamedArguments(parser, name) ??
    parser.list(() => (atLambda(parser) ? parseLambda(parser) : parser.expression()));
  const nulls = parseNullTreatment(parser);
  const rows = parseRows(parser);
  const orderBy = parseOrderBy(parser);
  const limit = parser.accept('LIMIT') ? parseCount(parser) : null;
  const call = { args, star: false, distinct, nulls, ...rows, orderBy, limit };
  // `ANY_VALUE(x HAVING MAX y)` is the long form of `MAX_BY(x, y)`. DISTINCT changes neither.
  return name === 'ANY_VALUE' && rows.having !== null
    ? { ...call, distinct: false, name: `${rows.having.which}_BY`, args: [...args, rows.having.key], having: null }
    : call;
}

/** What determines the rows that an aggregate reads. */
function parseRows(parser: Parser): Pick<CallExpression, 'where' | 'having' | 'groups'> {
  const where = parser.accept('WHERE') ? parser.expression() : null;
  const groups = parser.at('GROUP', 'BY') ? parseGroups(parser) : null;
  const having = groups === null && parser.at('HAVING') ? parseExtreme(parser) : null;
  return { where, having, groups };
}

function parseExtreme(parser: Parser): HavingExtreme {
  const { position } = parser.advance();
  if (!parser.at('MAX') && !parser.at('MIN')) throw parser.unexpected('MAX or MIN');
  const which = parser.advance().symbol === 'MAX' ? 'MAX' : 'MIN';
  return { kind: 'having-extreme', which, key: parser.expression(), position: parser.node(position) };
}

function parseGroups(parser: Parser): InnerGroups {
  const { position } = parser.advance();
  parser.expect('BY');
  const keys = parser.list(() => parser.expression());
  const having = parser.accept('HAVING') ? parser.expression() : null;
  return { kind: 'inner-groups', keys, having, position: parser.node(position) };
}

function parseNullTreatment(parser: Parser): CallExpression['nulls'] {
  const { symbol } = parser.token;
  if (symbol !== 'IGNORE' && symbol !== 'RESPECT') return null;
  parser.advance();
  parser.expect('NULLS');
  return symbol;
}

function spanOf(parts: readonly Identifier[], fallback: SourcePosition): SourcePosition {
  const first = parts[0]?.position ?? fallback;
  return { ...first, end: parts.at(-1)?.position.end ?? first.end };
}
