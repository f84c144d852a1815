/** Whether a join has an equality between its two sides; some stores require one. */
import { children } from '../../walk/children';
import { relationsOf } from './correlation';
import type { Expr } from '../../expression';
import type { JoinPlan } from '../../plan';

export function joinsByEquality({ left, right, on }: JoinPlan): boolean {
  const [ofLeft, ofRight] = [relationsOf(left), relationsOf(right)];
  const within = (expr: Expr, side: readonly number[]): boolean => {
    const read = relationsRead(expr);
    return read.length > 0 && read.every((relation) => side.includes(relation));
  };
  return on.some((condition) => {
    const [a, b] = condition.kind === 'call' && condition.fn === 'eq' ? condition.args : [];
    if (a === undefined || b === undefined) return false;
    return (within(a, ofLeft) && within(b, ofRight)) || (within(a, ofRight) && within(b, ofLeft));
  });
}

/** Relations of the columns that an expression reads, once for each read. */
export function relationsRead(expr: Expr): readonly number[] {
  return expr.kind === 'column' ? [expr.relation] : children(expr).flatMap(relationsRead);
}
