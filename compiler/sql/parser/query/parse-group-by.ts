/** Parses GROUP BY: expressions, ROLLUP, CUBE, GROUPING SETS and `()`. */
import type { GroupBy, GroupingItem } from '../../../ast/queries';
import { syntaxError } from '../../parse-errors';
import type { Parser } from '../parser';

export function parseGroupBy(parser: Parser): GroupBy | null {
  if (!parser.accept('GROUP')) return null;
  parser.expect('BY');
  const { position } = parser.token;
  if (parser.accept('ALL')) return { kind: 'all', position };
  const items = parser.list(() => parseItem(parser, true));
  const empty = items.length > 1 ? items.find((item) => item.kind === 'empty') : undefined;
  if (empty?.kind === 'empty') {
    throw syntaxError(empty.position, 'GROUP BY () takes no other items', 'write GROUPING SETS (..., ())');
  }
  const plain = items.flatMap((item) => (item.kind === 'expression' ? [item.expression] : []));
  return plain.length === items.length ? { kind: 'items', items: plain } : { kind: 'sets', items };
}

function parseItem(parser: Parser, outermost: boolean): GroupingItem {
  return parseSets(parser, outermost) ?? { kind: 'expression', expression: parser.expression() };
}

/** Parses an item that is more than one expression; null at any other item. */
export function parseSets(parser: Parser, outermost: boolean): Exclude<GroupingItem, { kind: 'expression' }> | null {
  const { position, symbol } = parser.token;
  if (parser.at('(', ')')) {
    parser.advance();
    parser.advance();
    return { kind: 'empty', position: parser.node(position) };
  }
  if (symbol === 'ROLLUP' || symbol === 'CUBE') {
    parser.advance();
    const items = parseList(parser, () => parser.expression());
    return { kind: symbol === 'ROLLUP' ? 'rollup' : 'cube', items, position: parser.node(position) };
  }
  if (outermost && parser.at('GROUPING', 'SETS')) {
    parser.advance();
    parser.advance();
    const items = parseList(parser, () => parseItem(parser, false));
    return { kind: 'grouping-sets', items, position: parser.node(position) };
  }
  return null;
}

function parseList<Item>(parser: Parser, read: () => Item): readonly Item[] {
  parser.expect('(');
  const items = parser.list(read);
  parser.expect(')');
  return items;
}
