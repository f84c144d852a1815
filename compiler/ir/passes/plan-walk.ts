/** Visits all relations and expressions of a plan at any depth, each plan once. Subclasses note what they look for. */
import { children } from '../walk/children';
import type { Expr } from '../expression';
import type { FromPlan, QueryPlan, RelationPlan, SelectPlan } from '../plan';

export abstract class PlanWalk {
  private readonly seen = new Set<QueryPlan>();

  protected plan(plan: QueryPlan): void {
    if (this.seen.has(plan)) return;
    this.seen.add(plan);
    if (plan.body.kind === 'select') this.select(plan.body);
    else plan.body.branches.forEach((branch) => this.plan(branch));
    plan.orderBy.forEach(({ expr }) => this.expr(expr));
    if (plan.limit) this.expr(plan.limit);
    if (plan.offset) this.expr(plan.offset);
  }

  protected from(from: FromPlan): void {
    if (from.kind === 'join') {
      this.from(from.left);
      this.from(from.right);
      from.on.forEach((expr) => this.expr(expr));
    } else this.relation(from);
  }

  /** Does not enter WITH queries. */
  protected relation({ input, unnests }: RelationPlan): void {
    if (input.kind === 'derived') this.plan(input.plan);
    if (input.kind === 'list') this.expr(input.list);
    unnests.forEach(({ list }) => this.expr(list));
  }

  protected expr(expr: Expr): void {
    if (expr.kind === 'subquery' || expr.kind === 'in-subquery') this.plan(expr.plan);
    children(expr).forEach((child) => this.expr(child));
  }

  protected select({ from, outputs, where, groupBy, having, qualify }: SelectPlan): void {
    if (from) this.from(from);
    outputs.forEach(({ expr }) => this.expr(expr));
    where.forEach((expr) => this.expr(expr));
    groupBy?.forEach((expr) => this.expr(expr));
    if (having) this.expr(having);
    if (qualify) this.expr(qualify);
  }
}
