/**
 * Values of subqueries in the condition of an outer join, as a row beside each row of its right side:
 * `a LEFT JOIN (b CROSS JOIN (SELECT (SELECT ..) AS "v1") AS b_values) ON .. b_values."v1"`.
 */
import { outerReads, relationsOf } from '../../ir/passes/correlation/correlation';
import { children, containsSubquery } from '../../ir/walk/children';
import type { Expr } from '../../ir/expression';
import type { JoinPlan } from '../../ir/plan';
import type { PlanDialect } from '../dialect/relation-dialect';

export interface JoinValues {
  /** The row, as an item of FROM. */
  readonly item: string;
  readonly nameOf: (expr: Expr) => string | undefined;
}

/** Conditions with subqueries that a store without `joinsBySubqueries` does not run as they are. */
export function conditionsNotRun(join: JoinPlan): readonly Expr[] {
  if (join.join === 'CROSS' || join.join === 'INNER') return [];
  return join.on.filter((expr) => containsSubquery(expr) && !isOfOneSide(expr, join));
}

/** @returns undefined if there are none */
export function joinValues(dialect: PlanDialect, conditions: readonly Expr[], alias: string): JoinValues | undefined {
  const subqueries = conditions.flatMap(valuesIn);
  if (subqueries.length === 0) return undefined;
  const names = new Map(subqueries.map((expr, index) => [expr, dialect.quoteIdentifier(`v${index + 1}`)]));
  const items = [...names].map(([expr, name]) => `${dialect.expression(expr)} AS ${name}`);
  const nameOf = (expr: Expr): string | undefined => {
    const name = names.get(expr);
    return name && `${alias}.${name}`;
  };
  return { item: `(SELECT ${items.join(', ')}) AS ${alias}`, nameOf };
}

/** Whether the condition restricts the rows of the optional side alone. */
function isOfOneSide(expr: Expr, { join, left, right }: JoinPlan): boolean {
  if (join === 'FULL') return false;
  const optional = new Set(relationsOf(join === 'LEFT' ? right : left));
  const reads = outerReads(expr);
  return reads.length > 0 && reads.every(({ column }) => optional.has(column.relation));
}

/** Subqueries that are values and read no row around them. */
function valuesIn(expr: Expr): readonly Expr[] {
  if (expr.kind === 'subquery') return outerReads(expr.plan).length === 0 ? [expr] : [];
  if (expr.kind === 'in-subquery' && outerReads(expr).length === 0) return [expr];
  return children(expr).flatMap(valuesIn);
}
