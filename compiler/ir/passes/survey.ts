/** What a plan contains at any depth. */
import { children } from '../children';
import type { Expr } from '../expression';
import type { FromPlan, QueryPlan, SelectPlan } from '../plan';

export class Survey {
  /** FROM items that read a source. */
  scans = 0;
  /** FROM items that read a WITH query. */
  tableReads = 0;
  /** Whether an expression has another value each time it is evaluated. */
  isVolatile = false;
  private largestRelation = 0;
  private readonly seen = new Set<QueryPlan>();

  constructor(plan: QueryPlan) {
    this.plan(plan);
  }

  /** A number that no relation of the plan has. */
  get freeRelation(): number {
    return this.largestRelation + 1;
  }

  private plan(plan: QueryPlan): void {
    if (this.seen.has(plan)) return;
    this.seen.add(plan);
    if (plan.body.kind === 'select') this.select(plan.body);
    else plan.body.branches.forEach((branch) => this.plan(branch));
    plan.orderBy.forEach(({ expr }) => this.expr(expr));
    if (plan.limit) this.expr(plan.limit);
    if (plan.offset) this.expr(plan.offset);
  }

  private select({ from, outputs, where, groupBy, having, qualify }: SelectPlan): void {
    if (from) this.from(from);
    outputs.forEach(({ expr }) => this.expr(expr));
    where.forEach((expr) => this.expr(expr));
    groupBy?.forEach((expr) => this.expr(expr));
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
    this.largestRelation = Math.max(this.largestRelation, from.id);
    const { input, unnests } = from;
    if (input.kind === 'scan') this.scans += 1;
    if (input.kind === 'common-table') this.tableReads += 1;
    if (input.kind === 'derived') this.plan(input.plan);
    if (input.kind === 'common-table') this.plan(input.table.plan);
    if (input.kind === 'list') this.expr(input.list);
    unnests.forEach(({ list }) => this.expr(list));
  }

  private expr(expr: Expr): void {
    if (expr.kind === 'call' && (expr.fn === 'random' || expr.fn === 'random_uuid')) this.isVolatile = true;
    if (expr.kind === 'subquery' || expr.kind === 'in-subquery') this.plan(expr.plan);
    children(expr).forEach((child) => this.expr(child));
  }
}
