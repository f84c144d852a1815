/** Correlation: what a part of a query reads, and which of that belongs to outer queries. */
import { children } from '../children';
import type { ColumnExpr, Expr } from '../expression';
import type { FromPlan, QueryPlan, SelectPlan } from '../plan';

/** A column, or a value taken from one without computation: a field, a redacted text. */
export interface Read {
  readonly expr: Expr;
  readonly column: ColumnExpr;
}

export type QueryPart = Expr | QueryPlan | FromPlan;

/** All reads of the parts at any depth, without expressions inside of a recorded read. */
export function readsOf(...parts: readonly QueryPart[]): readonly Read[] {
  return new Walk(parts).reads;
}

/** Reads of outer queries. */
export function outerReads(...parts: readonly QueryPart[]): readonly Read[] {
  const { reads, own } = new Walk(parts);
  return reads.filter(({ column }) => !own.has(column.relation));
}

/** Column that an expression is, or from which it takes its value. */
export function columnBelow(expr: Expr): ColumnExpr | undefined {
  switch (expr.kind) {
    case 'column':
      return expr;
    case 'redacted':
      return columnBelow(expr.operand);
    case 'struct-field':
    case 'json-field':
      return columnBelow(expr.base);
    default:
      return undefined;
  }
}

/** Relations of a FROM clause, without those of nested queries. */
export function relationsOf(from: FromPlan): readonly number[] {
  return from.kind === 'relation' ? [from.id] : [...relationsOf(from.left), ...relationsOf(from.right)];
}

class Walk {
  readonly own = new Set<number>();
  readonly reads: Read[] = [];
  private readonly seen = new Set<QueryPlan>();

  constructor(parts: readonly QueryPart[]) {
    for (const part of parts) {
      if (part.kind === 'query') this.plan(part);
      else if (part.kind === 'relation' || part.kind === 'join') this.from(part);
      else this.expr(part);
    }
  }

  private plan(plan: QueryPlan): void {
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
    const column = columnBelow(expr);
    if (column !== undefined) {
      this.reads.push({ expr, column });
      return;
    }
    if (expr.kind === 'subquery' || expr.kind === 'in-subquery') this.plan(expr.plan);
    children(expr).forEach((child) => this.expr(child));
  }
}
