/** Whether a query inside an expression reads rows of the queries around it. */
import { children } from './children';
import type { Expr } from './expression';
import type { FromPlan, QueryPlan, SelectPlan } from './plan';

export function isCorrelated(plan: QueryPlan): boolean {
  const walk = new Walk();
  walk.plan(plan);
  return [...walk.read].some((relation) => !walk.own.has(relation));
}

class Walk {
  readonly own = new Set<number>();
  readonly read = new Set<number>();
  private readonly seen = new Set<QueryPlan>();

  plan(plan: QueryPlan): void {
    if (this.seen.has(plan)) return;
    this.seen.add(plan);
    if (plan.body.kind === 'select') this.select(plan.body);
    else plan.body.branches.forEach((branch) => this.plan(branch));
    plan.orderBy.forEach(({ expr }) => this.expr(expr));
  }

  private select(select: SelectPlan): void {
    if (select.from) this.from(select.from);
    const { outputs, where, groupBy, having, qualify } = select;
    [...outputs.map(({ expr }) => expr), ...where, ...(groupBy ?? [])].forEach((expr) => this.expr(expr));
    if (having) this.expr(having);
    if (qualify) this.expr(qualify);
  }

  private from(from: FromPlan): void {
    if (from.kind === 'join') {
      this.from(from.left);
      this.from(from.right);
      from.on.forEach((expr) => this.expr(expr));
      return;
    }
    this.own.add(from.id);
    const { input } = from;
    if (input.kind === 'derived') this.plan(input.plan);
    if (input.kind === 'list') this.expr(input.list);
    from.unnests.forEach(({ list }) => this.expr(list));
  }

  private expr(expr: Expr): void {
    if (expr.kind === 'column') this.read.add(expr.relation);
    if (expr.kind === 'subquery' || expr.kind === 'in-subquery') this.plan(expr.plan);
    children(expr).forEach((child) => this.expr(child));
  }
}
