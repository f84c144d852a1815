/** ORDER BY of SELECT DISTINCT over groups or windows: expressions of its columns are computed in a query around it. */
import type { Value } from '../../../functions/function';
import type { Expr } from '../../../ir/expression';
import { isConstant } from '../../../ir/operations/call';
import { expressionKey } from '../../../ir/passes/expression-key';
import { containsSubquery, some, withChildren } from '../../../ir/walk/children';
import { itemAt } from '../../../items';
import type { Resolution } from '../../resolution';
import { selectOf } from '../../sets/derived-select';
import type { SelectColumn } from '../resolved-query';
import type { ResolvedSelect } from '../select/resolved-select';
import { notSelected, type OrderKey } from './order-keys';

interface DistinctRows {
  /** Without order; its LIMIT moves outside, too. */
  readonly query: ResolvedSelect;
  /** Columns as the keys read them. */
  readonly columns: readonly SelectColumn[];
  readonly order: readonly OrderKey[];
}

/**
 * @param isOwn whether a relation is of the query's own FROM
 * @throws bad_order for a key that reads anything but columns of the query
 */
export function orderedAround(
  resolution: Resolution,
  { query, columns, order }: DistinctRows,
  isOwn: (relation: number) => boolean
): ResolvedSelect {
  const values: Value[] = [];
  const { position } = itemAt(columns, 0).value;
  const around = selectOf(resolution, query, position, (read) => {
    values.push(...columns.map((_, index) => read(index)));
    return columns.map(({ name }, index) => ({ name, value: itemAt(values, index) }));
  });
  const places = new Map(columns.map(({ value }, index) => [expressionKey(value.expr), index]));
  const replace = (expr: Expr): Expr => {
    const place = isConstant(expr) ? undefined : places.get(expressionKey(expr));
    return place === undefined ? withChildren(expr, replace) : resolution.materialize(itemAt(values, place));
  };
  around.plan.limit = query.plan.limit;
  around.plan.offset = query.plan.offset;
  query.plan.limit = null;
  query.plan.offset = null;
  around.plan.orderBy = order.map((key) => {
    const expr = replace(key.sort.expr);
    if (containsSubquery(expr) || some(expr, (part) => isOutside(part, isOwn))) throw notSelected(key);
    return { ...key.sort, expr, output: key.column === null ? null : around.output(key.column, [], 'value').name };
  });
  return around;
}

function isOutside(part: Expr, isOwn: (relation: number) => boolean): boolean {
  if (part.kind === 'aggregate') return true;
  return (part.kind === 'column' || part.kind === 'lazy-record') && isOwn(part.relation);
}
