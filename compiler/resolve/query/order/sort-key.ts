/** Keys of ORDER BY. */
import type { OrderItem } from '../../../ast';
import { lengthOf } from '../../../functions/time/interval-values';
import type { Expr, SortExpr } from '../../../ir/expression';

export function sortBy(expr: Expr, item: OrderItem): SortExpr {
  const nulls = item.nulls ?? (item.direction === 'ASC' ? 'FIRST' : 'LAST');
  const key = expr.type.kind === 'INTERVAL' ? lengthOf(expr) : expr;
  return { expr: key, direction: item.direction, nulls };
}
