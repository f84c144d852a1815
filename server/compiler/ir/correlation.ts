/** Whether, and how, a query inside an expression reads rows of the queries around it. */
import { children } from './children';
import type { ColumnExpr, Expr } from './expression';
import type { FromPlan, QueryPlan, SelectPlan } from './plan';

/** `equal`: only to compare a column of its own for equality in WHERE. `free`: in any other way. */
export type Correlation = 'none' | 'equal' | 'free';

export function correlationOf(plan: QueryPlan): Correlation {
  const walk = new Walk();
  walk.plan(plan);
  const outer = [...walk.read].filter(({ relation }) => !walk.own.has(relation));
  if (outer.length === 0) return 'none';
  const compared = new Set(plan.body.kind === 'select' ? plan.body.where.flatMap(comparedColumns) : []);
  return outer.every((column) => compared.has(column) && walk.mentions(column) === 1) ? 'equal' : 'free';
}

function comparedColumns(condition: Expr): readonly Expr[] {
  if (condition.kind !== 'call') return [];
  if (condition.fn === 'and') return condition.args.flatMap(comparedColumns);
  return condition.fn === 'eq' && condition.args.every(({ kind }) => kind === 'column') ? condition.args : [];
}

class Walk {
  readonly own = new Set<number>();
  readonly read = new Set<ColumnExpr>();
  private readonly seen = new Set<QueryPlan>();
  private readonly counts = new Map<ColumnExpr, number>();

  /** A column may be one object in several places. */
  mentions(column: ColumnExpr): number {
    return this.counts.get(column) ?? 0;
  }

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
    if (expr.kind === 'column') {
      this.read.add(expr);
      this.counts.set(expr, this.mentions(expr) + 1);
    }
    if (expr.kind === 'subquery' || expr.kind === 'in-subquery') this.plan(expr.plan);
    children(expr).forEach((child) => this.expr(child));
  }
}
