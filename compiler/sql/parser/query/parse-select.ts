/** Parses SELECT with its list and its clauses. */
import type { Expression } from '../../../ast/expressions';
import type { Identifier, SourcePosition } from '../../../ast/node';
import type { SelectBody, SelectItem, SelectStar } from '../../../ast/queries';
import { notSupported, syntaxError } from '../../parse-errors';
import { parseFrom } from './parse-from';
import { parseNamedWindows } from './parse-window';
import { parseGroupBy } from './parse-group-by';
import type { Parser } from '../parser';

/** Tokens that may follow a trailing comma of the select list. */
const AFTER_SELECT_LIST: ReadonlySet<string> = new Set(
  'FROM WHERE HAVING QUALIFY WINDOW LIMIT UNION INTERSECT EXCEPT INTO FETCH |> ) ;'.split(' ')
);
const NEEDS_FROM: ReadonlySet<string> = new Set(['WHERE', 'GROUP', 'HAVING', 'QUALIFY', 'WINDOW']);

export function parseSelect(parser: Parser): SelectBody {
  const start = parser.expect('SELECT').position;
  const distinct = parseQuantifier(parser);
  const as = parseSelectAs(parser);
  const items = parseItems(parser);
  const from = parser.accept('FROM') ? parseFrom(parser) : null;
  if (from === null && parser.atAny(NEEDS_FROM)) {
    const { symbol, position } = parser.token;
    throw syntaxError(position, `${symbol === 'GROUP' ? 'GROUP BY' : symbol} needs a FROM clause`);
  }
  const where = parseCondition(parser, 'WHERE');
  const groupBy = parseGroupBy(parser);
  const having = parseCondition(parser, 'HAVING');
  const qualify = parseCondition(parser, 'QUALIFY');
  const windows = parseNamedWindows(parser);
  const position = parser.node(start);
  return { kind: 'select', distinct, as, items, from, where, groupBy, having, qualify, windows, position };
}

export function parseQuantifier(parser: Parser): boolean {
  if (parser.at('WITH') && !parser.at('WITH', '('))
    throw notSupported(parser.token.position, 'SELECT WITH is not supported');
  if (parser.accept('ALL')) return false;
  if (!parser.accept('DISTINCT')) return false;
  if (parser.at('ON')) {
    throw notSupported(
      parser.token.position,
      'DISTINCT ON is not supported',
      'write QUALIFY ROW_NUMBER() OVER (...) = 1'
    );
  }
  return true;
}

export function parseSelectAs(parser: Parser): SelectBody['as'] {
  if (!parser.accept('AS')) return null;
  if (parser.accept('STRUCT')) return 'STRUCT';
  if (parser.accept('VALUE')) return 'VALUE';
  throw parser.unexpected('STRUCT or VALUE');
}

function parseItems(parser: Parser): readonly SelectItem[] {
  const items = [parseSelectItem(parser)];
  while (parser.accept(',') && !atEndOfItems(parser)) {
    items.push(parseSelectItem(parser));
    parser.ensureWithin('maxOutputColumns', items.length);
  }
  return items;
}

function atEndOfItems(parser: Parser): boolean {
  return (
    parser.token.kind === 'end' ||
    parser.atAny(AFTER_SELECT_LIST) ||
    parser.at('GROUP', 'BY') ||
    parser.at('ORDER', 'BY')
  );
}

export function parseSelectItem(parser: Parser): SelectItem {
  const start = parser.token.position;
  const qualifierLength = starQualifierLength(parser);
  if (qualifierLength !== null) return { ...parseStar(parser, start, qualifierLength), operand: null };
  const expression = parser.expression();
  if (parser.accept('.')) return { ...parseStar(parser, start, 0), operand: expression };
  const alias = parser.alias();
  return { kind: 'select-expression', expression, alias, position: parser.node(start) };
}

/** Number of names before `*` if the item is `*` or `a.b.*`, otherwise null. */
function starQualifierLength(parser: Parser): number | null {
  if (parser.at('*')) return 0;
  if (!parser.atName()) return null;
  for (let distance = 1; parser.lookahead(distance).symbol === '.'; distance += 2) {
    const { symbol, kind } = parser.lookahead(distance + 1);
    if (symbol === '*') return (distance + 1) / 2;
    if (kind !== 'word' && kind !== 'quoted-name') return null;
  }
  return null;
}

function parseStar(parser: Parser, start: SourcePosition, qualifierLength: number): Omit<SelectStar, 'operand'> {
  const qualifier: Identifier[] = [];
  for (let part = 0; part < qualifierLength; part += 1) {
    qualifier.push(parser.identifier());
    parser.expect('.');
  }
  parser.expect('*');
  const except = parser.at('EXCEPT', '(') ? parseExcept(parser) : [];
  const replace = parser.at('REPLACE', '(') ? parseReplace(parser) : [];
  return { kind: 'select-star', qualifier, except, replace, position: parser.node(start) };
}

function parseExcept(parser: Parser): SelectStar['except'] {
  parser.expect('EXCEPT');
  parser.expect('(');
  const names = parser.list(() => parser.name());
  parser.expect(')');
  return names;
}

function parseReplace(parser: Parser): SelectStar['replace'] {
  parser.expect('REPLACE');
  parser.expect('(');
  const replacements = parser.list(() => {
    const expression = parser.expression();
    parser.expect('AS');
    return { expression, name: parser.name() };
  });
  parser.expect(')');
  return replacements;
}

function parseCondition(parser: Parser, clause: 'WHERE' | 'HAVING' | 'QUALIFY'): Expression | null {
  return parser.accept(clause) ? parser.expression() : null;
}
