/** Parses expressions with special syntax: CASE, CAST, EXTRACT, EXISTS, ARRAY, STRUCT. */
import type {
  ArrayExpression,
  ArraySubqueryExpression,
  CaseExpression,
  CastExpression,
  ExistsExpression,
  ExtractExpression,
  StructExpression,
  WithExpression,
} from '../../../ast/expressions';
import type { TypeName } from '../../../ast/type-name';
import { notSupported } from '../../parse-errors';
import { parseTypeName } from './parse-type-name';
import { TIME_UNITS } from '../../../time/time-units';
import type { Parser } from '../parser';

export function parseCase(parser: Parser): CaseExpression {
  const start = parser.expect('CASE').position;
  const operand = parser.at('WHEN') ? null : parser.expression();
  const branches = [parseWhen(parser)];
  while (parser.at('WHEN')) branches.push(parseWhen(parser));
  const otherwise = parser.accept('ELSE') ? parser.expression() : null;
  parser.expect('END');
  return { kind: 'case', operand, branches, otherwise, position: parser.node(start) };
}

function parseWhen(parser: Parser): CaseExpression['branches'][number] {
  parser.expect('WHEN');
  const when = parser.expression();
  parser.expect('THEN');
  return { when, then: parser.expression() };
}

/** CAST or SAFE_CAST. */
export function parseCast(parser: Parser): CastExpression {
  const { symbol, position } = parser.advance();
  parser.expect('(');
  const operand = parser.expression();
  parser.expect('AS');
  const type = parseTypeName(parser);
  const format = parser.at('FORMAT') ? parseFormat(parser) : null;
  parser.expect(')');
  return { kind: 'cast', operand, type, safe: symbol === 'SAFE_CAST', format, position: parser.node(position) };
}

function parseFormat(parser: Parser): CastExpression['format'] {
  parser.expect('FORMAT');
  const pattern = parser.expression();
  return { pattern, timeZone: parser.at('AT', 'TIME') ? parseTimeZone(parser) : null };
}

export function parseExtract(parser: Parser): ExtractExpression {
  const start = parser.expect('EXTRACT').position;
  parser.expect('(');
  const { kind, symbol } = parser.token;
  if (kind !== 'word' || !parser.atName()) throw parser.unexpected('a unit of time');
  const part = { ...parser.identifier(), name: symbol };
  const weekday = parseWeekday(parser, symbol);
  const isUnit = TIME_UNITS.some((unit) => unit === symbol);
  if (isUnit && parser.at(',')) throw parser.unexpected('FROM', `write EXTRACT(${symbol} FROM x)`);
  parser.expect('FROM');
  const operand = parser.expression();
  const timeZone = parser.at('AT', 'TIME') ? parseTimeZone(parser) : null;
  parser.expect(')');
  return { kind: 'extract', part, weekday, operand, timeZone, position: parser.node(start) };
}

/** `(MONDAY)` behind WEEK. */
function parseWeekday(parser: Parser, part: string): ExtractExpression['weekday'] {
  if (!parser.at('(')) return null;
  if (part !== 'WEEK') throw notSupported(parser.token.position, `${part}(...) in EXTRACT is not supported`);
  parser.advance();
  const { symbol } = parser.token;
  if (!parser.atName()) throw parser.unexpected('a day of the week');
  const weekday = { ...parser.identifier(), name: symbol };
  parser.expect(')');
  return weekday;
}

function parseTimeZone(parser: Parser): ExtractExpression['timeZone'] {
  parser.expect('AT');
  parser.expect('TIME');
  parser.expect('ZONE');
  return parser.expression();
}

export function parseExists(parser: Parser): ExistsExpression {
  const start = parser.expect('EXISTS').position;
  parser.count('maxSubqueries');
  parser.expect('(');
  const query = parser.query();
  parser.expect(')');
  return { kind: 'exists', query, position: parser.node(start) };
}

/** `[..]`, `ARRAY[..]`, `ARRAY<..>[..]` or `ARRAY(SELECT ..)`. */
export function parseArray(parser: Parser): ArrayExpression | ArraySubqueryExpression {
  const start = parser.token.position;
  const type = writtenType(parser, 'ARRAY');
  if (type === null && parser.accept('ARRAY')) {
    if (parser.accept('(')) {
      parser.count('maxSubqueries');
      const query = parser.query();
      parser.expect(')');
      return { kind: 'array-subquery', query, position: parser.node(start) };
    }
  }
  parser.expect('[');
  const items = parser.at(']') ? [] : parser.list(() => parser.expression());
  parser.expect(']');
  return { kind: 'array', type, items, position: parser.node(start) };
}

export function parseStruct(parser: Parser): StructExpression {
  const start = parser.token.position;
  const type = writtenType(parser, 'STRUCT');
  if (type === null) parser.expect('STRUCT');
  parser.expect('(');
  const fields = parser.list(() => {
    const value = parser.expression();
    return { name: parser.at('AS') ? parser.alias() : null, value };
  });
  parser.expect(')');
  return { kind: 'struct', type, fields, position: parser.node(start) };
}

/** The type in front of an array or a struct; null if it is not written. */
function writtenType(parser: Parser, word: 'ARRAY' | 'STRUCT'): TypeName | null {
  return parser.at(word, '<') ? parseTypeName(parser) : null;
}

/** `WITH(a AS x, b AS y, expression)` */
export function parseWithExpression(parser: Parser): WithExpression {
  const start = parser.expect('WITH').position;
  parser.expect('(');
  const variables: WithExpression['variables'][number][] = [];
  do {
    const name = parser.name();
    parser.expect('AS');
    variables.push({ name, expression: parser.expression() });
    parser.expect(',');
  } while (parser.atName() && parser.lookahead(1).symbol === 'AS');
  const body = parser.expression();
  parser.expect(')');
  return { kind: 'with', variables, body, position: parser.node(start) };
}
