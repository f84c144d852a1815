/** Pruning: the physical columns that are read, starting from the statement's result. Only these are printed. */
import { children } from '../walk/children';
import type { Expr } from '../expression';
import type { OpName } from '../operations/ops';
import type { CommonTablePlan, FromPlan, QueryPlan, RelationPlan, SelectPlan } from '../plan';
import { valueAt } from '../../items';

export interface Reachable {
  /** Output names of a plan that are read. */
  outputs(plan: QueryPlan): ReadonlySet<string>;
  /** Physical columns of a relation that are read. */
  columns(relation: number): ReadonlySet<string>;
  /** FROM item of a printed plan. */
  relation(id: number): RelationPlan | undefined;
  /** Number of FROM items in printed plans that read a WITH query. */
  readers(table: CommonTablePlan): number;
  /** Whether an expression of printed plans calls the operation. */
  calls(fn: OpName): boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** @param wanted the outputs of the statement's result */
export function findReachable(plan: QueryPlan, wanted: readonly string[]): Reachable {
  const walk = new Walk();
  walk.enter(plan, true);
  for (const name of wanted) walk.output(plan, name);
  return walk;
}

class Walk implements Reachable {
  private readonly read = new Map<QueryPlan, Set<string>>();
  private readonly relations = new Map<number, RelationPlan>();
  private readonly used = new Map<number, Set<string>>();
  private readonly tables = new Map<CommonTablePlan, number>();
  private readonly called = new Set<OpName>();

  outputs(plan: QueryPlan): ReadonlySet<string> {
    return this.read.get(plan) ?? NONE;
  }

  columns(relation: number): ReadonlySet<string> {
    return this.used.get(relation) ?? NONE;
  }

  relation(id: number): RelationPlan | undefined {
    return this.relations.get(id);
  }

  readers(table: CommonTablePlan): number {
    return this.tables.get(table) ?? 0;
  }

  calls(fn: OpName): boolean {
    return this.called.has(fn);
  }

  /** Marks what a plan reads regardless of the requested outputs. */
  enter(plan: QueryPlan, ordered: boolean): void {
    if (this.read.has(plan)) return;
    this.read.set(plan, new Set());
    const { body } = plan;
    if (body.kind === 'select') {
      this.select(body);
      if (body.distinct) body.outputs.forEach(({ name }) => this.output(plan, name));
    } else {
      for (const branch of body.branches) this.enter(branch, false);
      if (body.operator !== 'UNION ALL') body.outputs.forEach(({ name }) => this.output(plan, name));
    }
    if (!isOrdered(plan, ordered)) return;
    for (const item of plan.orderBy) {
      if (item.output === null) this.expr(item.expr);
      else this.output(plan, item.output);
    }
  }

  output(plan: QueryPlan, name: string): void {
    const read = valueAt(this.read, plan);
    if (read.has(name)) return;
    read.add(name);
    const { body } = plan;
    if (body.kind === 'select') {
      const output = body.outputs.find((candidate) => candidate.name === name);
      if (output) this.expr(output.expr);
      return;
    }
    const output = body.outputs.find((candidate) => candidate.name === name);
    body.branches.forEach((branch, index) => this.output(branch, output?.branchOutputs[index] ?? ''));
  }

  private select(select: SelectPlan): void {
    if (select.from) this.from(select.from);
    select.where.forEach((expr) => this.expr(expr));
    select.groupBy?.forEach((expr) => this.expr(expr));
    if (select.having) this.expr(select.having);
    if (select.qualify) this.expr(select.qualify);
  }

  private from(from: FromPlan): void {
    if (from.kind === 'join') {
      this.from(from.left);
      this.from(from.right);
      from.on.forEach((expr) => this.expr(expr));
      return;
    }
    this.relations.set(from.id, from);
    this.used.set(from.id, new Set());
    const { input } = from;
    if (input.kind === 'derived') this.enter(input.plan, false);
    if (input.kind === 'common-table') {
      this.tables.set(input.table, this.readers(input.table) + 1);
      this.enter(input.table.plan, false);
    }
    if (input.kind === 'list') this.expr(input.list);
    from.unnests.forEach((unnest) => this.expr(unnest.list));
  }

  private column(relation: number, name: string): void {
    const used = this.used.get(relation);
    const plan = this.relations.get(relation);
    if (used === undefined || plan === undefined || used.has(name)) return;
    // Columns created by opening a list are not read from the input.
    if (plan.unnests.some(({ element, offset }) => element === name || offset === name)) return;
    used.add(name);
    const { input } = plan;
    if (input.kind === 'derived') this.output(input.plan, name);
    if (input.kind === 'common-table') this.output(input.table.plan, name);
  }

  private expr(expr: Expr): void {
    if (expr.kind === 'lazy-record') throw new Error('a record was not materialized');
    if (expr.kind === 'call') this.called.add(expr.fn);
    if (expr.kind === 'column') this.column(expr.relation, expr.name);
    if (expr.kind === 'subquery' || expr.kind === 'in-subquery') this.subquery(expr.plan);
    children(expr).forEach((child) => this.expr(child));
  }

  private subquery(plan: QueryPlan): void {
    this.enter(plan, false);
    if (plan.value !== null) this.output(plan, plan.value);
  }
}

/** Whether the order is needed. Without a limit only where it is visible: in the result and in ARRAY(...). */
export function isOrdered(plan: QueryPlan, kept: boolean): boolean {
  return plan.orderBy.length > 0 && (kept || plan.ordered || plan.limit !== null || plan.offset !== null);
}
