/** Keys of ORDER BY. */
import type { OrderItem } from '../../ast';
import type { Expr, SortExpr } from '../../ir/expression';

export function sortBy(expr: Expr, item: OrderItem): SortExpr {
  const nulls = item.nulls ?? (item.direction === 'ASC' ? 'FIRST' : 'LAST');
  return { expr, direction: item.direction, nulls };
}
