/**
 * Calls of a correlated query that read columns of the queries around it where a store may not allow or understand
 * them: DuckDB takes an aggregate of outer columns only for one of the outer query, refuses outer columns in window
 * calls and in lambdas, and fails on some as the operand of IN.
 */
import { children, some } from '../../walk/children';
import type { AggregateExpr, CallExpr, ColumnExpr, Expr, InSubqueryExpr } from '../../expression';
import type { SelectPlan, SortItem } from '../../plan';
import { outerReads, relationsOf } from './correlation';
import { expressionKey } from '../expression-key';

export interface OuterOperands {
  readonly calls: ReadonlySet<Expr>;
  /** Outer columns that the calls read, without those that only their subqueries read. */
  readonly columns: readonly ColumnExpr[];
  /** Whether a window call or a lambda reads them outside of aggregates. */
  readonly inWindows: boolean;
}

export function outerOperands(select: SelectPlan, orderBy: readonly SortItem[]): OuterOperands {
  const { from, outputs, where, having, qualify } = select;
  const walk = new Walk(new Set(from === null ? [] : relationsOf(from)));
  for (const expr of where) walk.visit(expr, true);
  for (const { expr } of [...outputs, ...orderBy]) walk.visit(expr);
  for (const expr of [having, qualify]) if (expr !== null) walk.visit(expr);
  return { calls: walk.calls, columns: [...walk.columns.values()], inWindows: walk.inWindows };
}

class Walk {
  readonly calls = new Set<Expr>();
  readonly columns = new Map<string, ColumnExpr>();
  inWindows = false;

  constructor(private readonly own: ReadonlySet<number>) {}

  /** @param isBefore before the rows are grouped: in WHERE and in the arguments of aggregates */
  visit(expr: Expr, isBefore = false): void {
    if (expr.kind === 'in-subquery') this.inSubquery(expr);
    if (expr.kind === 'aggregate') this.aggregate(expr);
    if (expr.kind === 'call') this.withLambda(expr, isBefore);
    const isArgument = isBefore || (expr.kind === 'aggregate' && expr.over === null);
    children(expr).forEach((child) => this.visit(child, isArgument));
  }

  /** DuckDB binds the lambda where it binds the list, so both read columns of one query. */
  private withLambda(call: CallExpr, isBefore: boolean): void {
    const isReading = call.args.some((arg) => arg.kind === 'lambda' && some(arg.body, ({ kind }) => kind === 'column'));
    if (!isReading || this.outer(call.args).length === 0) return;
    if (!isBefore) this.inWindows = true;
    this.add(call, call.args);
  }

  private inSubquery(call: InSubqueryExpr): void {
    if (this.outer([call.operand]).length > 0) this.add(call, [call.operand]);
  }

  private aggregate(call: AggregateExpr): void {
    if (call.over !== null) {
      const parts = children(call);
      if (parts.every((part) => this.readsInAggregates(part))) return;
      this.inWindows = true;
      this.add(call, parts);
      return;
    }
    const parts = children(call);
    const reads = outerReads(...parts);
    if (reads.length > 0 && reads.every(({ column }) => !this.own.has(column.relation))) this.add(call, parts);
  }

  private readsInAggregates(expr: Expr): boolean {
    if (expr.kind === 'aggregate' && expr.over === null) return true;
    if (expr.kind === 'column') return this.own.has(expr.relation);
    if (expr.kind === 'subquery' || expr.kind === 'in-subquery') return this.outer([expr]).length === 0;
    return children(expr).every((child) => this.readsInAggregates(child));
  }

  private outer(exprs: readonly Expr[]): readonly ColumnExpr[] {
    return outerReads(...exprs).flatMap(({ column }) => (this.own.has(column.relation) ? [] : [column]));
  }

  private add(call: Expr, parts: readonly Expr[]): void {
    this.calls.add(call);
    for (const part of parts) this.addColumns(part);
  }

  private addColumns(expr: Expr): void {
    if (expr.kind === 'column' && !this.own.has(expr.relation)) this.columns.set(expressionKey(expr), expr);
    children(expr).forEach((child) => this.addColumns(child));
  }
}
