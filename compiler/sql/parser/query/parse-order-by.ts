/** Parses ORDER BY for queries, windows and aggregates. */
import type { OrderItem } from '../../../ast/queries';
import type { Parser } from '../parser';

/** Items of the ORDER BY at the cursor; empty if there is none. */
export function parseOrderBy(parser: Parser): readonly OrderItem[] {
  if (!parser.accept('ORDER')) return [];
  parser.expect('BY');
  return parser.list(() => parseOrderItem(parser));
}

export function parseOrderItem(parser: Parser): OrderItem {
  const start = parser.token.position;
  const expression = parser.expression();
  return { kind: 'order-item', expression, ...parseDirection(parser), position: parser.node(start) };
}

export function parseDirection(parser: Parser): Pick<OrderItem, 'direction' | 'nulls'> {
  const direction = parser.accept('DESC') ? 'DESC' : 'ASC';
  if (direction === 'ASC') parser.accept('ASC');
  return { direction, nulls: parser.accept('NULLS') ? parseNulls(parser) : null };
}

function parseNulls(parser: Parser): 'FIRST' | 'LAST' {
  if (parser.accept('FIRST')) return 'FIRST';
  if (parser.accept('LAST')) return 'LAST';
  throw parser.unexpected('FIRST or LAST');
}
