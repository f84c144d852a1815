/**
 * `x IN (SELECT ..)` in the condition of an outer join, as a column of the relation that `x` reads:
 * `(SELECT .., (x IN (..)) AS "in1" FROM t) AS t3 LEFT JOIN b ON .. t3."in1"`.
 */
import { mayFail } from '../../ir/passes/conditions/may-fail';
import { outerReads } from '../../ir/passes/correlation/correlation';
import type { Expr, InSubqueryExpr } from '../../ir/expression';
import type { FromPlan, JoinPlan, RelationPlan } from '../../ir/plan';
import { children } from '../../ir/walk/children';

export interface JoinChoice {
  readonly expr: InSubqueryExpr;
  readonly relation: RelationPlan;
}

/** @param conditions those that the store does not run as they are */
export function joinChoices({ left, right }: JoinPlan, conditions: readonly Expr[]): readonly JoinChoice[] {
  const kept = [...keptRelations(left), ...keptRelations(right)];
  return conditions.flatMap(choicesIn).flatMap((expr) => {
    const read = new Set(outerReads(expr.operand).map(({ column }) => column.relation));
    const [id, ...others] = read;
    const relation = others.length > 0 ? undefined : kept.find((each) => each.id === id);
    // The column is computed for rows to which the condition is not applied, too.
    return relation === undefined || mayFail(expr.operand) ? [] : [{ expr, relation }];
  });
}

/** IN with a subquery that reads no row around it. */
function choicesIn(expr: Expr): readonly InSubqueryExpr[] {
  if (expr.kind === 'in-subquery') return outerReads(expr.plan).length === 0 ? [expr] : [];
  return children(expr).flatMap(choicesIn);
}

/** Relations to which columns can be added, and whose rows no outer join of `from` fills with NULL. */
function keptRelations(from: FromPlan): readonly RelationPlan[] {
  if (from.kind === 'relation') {
    const isLateral = from.input.kind === 'list' && from.input.lateral;
    return from.unnests.length > 0 || isLateral ? [] : [from];
  }
  const left = from.join === 'RIGHT' || from.join === 'FULL' ? [] : keptRelations(from.left);
  const right = from.join === 'LEFT' || from.join === 'FULL' ? [] : keptRelations(from.right);
  return [...left, ...right];
}
