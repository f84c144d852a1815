import type { SourcePosition } from '../../../ast';
import type { Expr } from '../../../ir/expression';
import type { SelectPlan, SortItem } from '../../../ir/plan';
import { QueryRelation } from '../../relations/query-relation';
import type { Resolution } from '../../resolution';

/**
 * Order of a block without windows that only passes on the rows of one ordered query, which stores do not guarantee.
 * The order moves out of the inner query, so that the block's LIMIT takes its first rows.
 */
export function hoistedOrder(
  resolution: Resolution,
  { from, groupBy, distinct }: SelectPlan,
  position: SourcePosition
): readonly SortItem[] {
  if (from?.kind !== 'relation' || from.unnests.length > 0 || groupBy !== null || distinct) return [];
  const relation = resolution.relation(from.id);
  if (!(relation instanceof QueryRelation)) return [];
  const { query } = relation;
  return query.plan.orderBy.flatMap((item): SortItem[] => {
    const name = query.nameOf(item);
    if (name === undefined) return [];
    const column: Expr = {
      kind: 'column',
      relation: from.id,
      name,
      type: item.expr.type,
      display: 'order',
      position,
    };
    return [{ expr: relation.atBorder(column), direction: item.direction, nulls: item.nulls, output: null }];
  });
}
