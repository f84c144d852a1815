/** Grouping sets as one grouped query for each set. */
import type { Expr } from '../../../ir/expression';
import { isAggregate } from '../../../ir/operations/call';
import { expressionKey } from '../../../ir/passes/expression-key';
import type { SelectPlan } from '../../../ir/plan';
import { itemAt } from '../../../items';

/** The queries whose rows together are those of a query with grouping sets. */
export function groupedBySet(select: SelectPlan): readonly SelectPlan[] {
  const { groupBy, groupingSets, outputs } = select;
  const keys = groupBy ?? [];
  return (groupingSets ?? []).map((set) => {
    const own = set.map((place) => itemAt(keys, place));
    const names = new Set(own.map(expressionKey));
    const ofSet = outputs.map(({ name, expr }) => ({ name, expr: inSet(expr, names) }));
    return { ...select, groupBy: own, groupingSets: null, outputs: ofSet };
  });
}

/** @param names keys of the set */
function inSet(expr: Expr, names: ReadonlySet<string>): Expr {
  if (isAggregate(expr, 'grouping')) {
    const value = names.has(expressionKey(itemAt(expr.args, 0))) ? 0n : 1n;
    return { kind: 'literal', type: expr.type, value };
  }
  const isMissing = expr.kind === 'column' && !names.has(expressionKey(expr));
  return isMissing ? { kind: 'literal', type: expr.type, value: null } : expr;
}
