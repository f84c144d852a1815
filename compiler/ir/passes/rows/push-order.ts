/**
 * Order pushdown: if a block only passes on the rows of a query without other readers, sorted and limited, the query
 * itself may be sorted and limited with the same result. ClickHouse can then stop early (100 of 5 million events: 42 ms
 * instead of 70 ms, release 26.7).
 */
import { outputOf, rowByRow, soleQuery } from './newest-first';
import type { QueryPlan, SortItem } from '../../plan';
import type { Reachable } from '../reachable';

export interface PushedOrder {
  /** The inner query. */
  readonly plan: QueryPlan;
  /** Keys that refer to its outputs. */
  readonly orderBy: readonly SortItem[];
}

/** @param plan of the whole statement, whose rows are limited */
export function pushedOrder(plan: QueryPlan, reachable: Reachable): PushedOrder | undefined {
  const { body } = plan;
  if (plan.orderBy.length === 0 || plan.offset !== null || body.kind !== 'select') return undefined;
  if (body.where.length > 0 || body.having !== null || !rowByRow(body)) return undefined;
  const relation = body.from?.kind === 'relation' && body.from.unnests.length === 0 ? body.from : undefined;
  const inner = relation && soleQuery(relation, reachable);
  if (inner?.body.kind !== 'select' || inner.limit !== null || inner.offset !== null) return undefined;
  // Keys of grouping sets are printed differently inside of their query.
  if (inner.body.groupingSets) return undefined;
  const orderBy: SortItem[] = [];
  for (const item of plan.orderBy) {
    const key = item.output === null ? item.expr : outputOf(body, item.output);
    if (key?.kind !== 'column' || key.relation !== relation?.id) return undefined;
    const expr = outputOf(inner.body, key.name);
    if (expr === undefined) return undefined;
    orderBy.push({ direction: item.direction, nulls: item.nulls, output: key.name, expr });
  }
  return { plan: inner, orderBy };
}
