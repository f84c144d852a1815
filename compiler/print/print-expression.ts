/**
 * Prints typed expressions as store SQL. Each printed operand is self-contained: a call, a CASE, a name, or in
 * parentheses.
 */
import type { AggregateExpr, BoundExpr, Expr, FrameEdge, LiteralExpr, SortExpr, WindowExpr } from '../ir/expression';
import type { Magnitudes } from '../ir/passes/magnitude';
import { mayFail } from '../ir/passes/may-fail';
import { momentOf } from '../ir/moment';
import type { QueryPlan } from '../ir/plan';
import type { Dialect, ListedRow, MayBeNaN, NestedPrinter, SortKey } from './dialect';
import type { PrintBudget } from './print-budget';

export interface PrintContext {
  readonly dialect: Dialect;
  readonly budget: PrintBudget;
  /** Time of the request in microseconds since 1970. */
  readonly nowMicros: number;
  /** Registers the value and returns its number, from 1. Equal keys share one number. @throws the value's failure */
  bind(bound: BoundExpr): number;
  /** The alias of a relation, e.g. `t3`. */
  relationAlias(id: number): string;
  /** Physical columns of a relation that are read anywhere. */
  columns(relation: number): ReadonlySet<string>;
  /** Rows of the enclosing array functions, innermost first. */
  readonly rows: readonly ListedRow[];
  /** Prints a query without parentheses. */
  printPlan(plan: QueryPlan): string;
  readonly numbers: Magnitudes;
  /** Called for an expression that may fail on some row. */
  readonly onMayFail: () => void;
}

/** @throws ServiceError query_too_complex; bad_parameter of a value that did not convert. */
export function printExpression(expr: Expr, ctx: PrintContext): string {
  ctx.budget.enter();
  const sql = print(expr, ctx);
  ctx.budget.leave();
  return sql;
}

function sortKeys(keys: readonly SortExpr[], ctx: PrintContext): readonly SortKey[] {
  return keys.map(({ expr, direction, nulls }) => {
    return { sql: printExpression(expr, ctx), direction, nulls, mayBeNaN: ctx.numbers.mayBeNaN(expr) };
  });
}

function atTime(literal: LiteralExpr, nowMicros: number): LiteralExpr {
  const moment = momentOf(literal);
  if (moment === undefined) return literal;
  return { kind: 'literal', type: literal.type, value: BigInt(nowMicros) + moment.distanceMicros };
}

function print(expr: Expr, ctx: PrintContext): string {
  const { dialect } = ctx;
  if (mayFail(expr)) ctx.onMayFail();
  for (const row of ctx.rows) {
    const name = row.nameOf(expr);
    if (name !== undefined) return name;
  }
  switch (expr.kind) {
    case 'literal':
      return dialect.literal(atTime(expr, ctx.nowMicros));
    case 'bound':
      if (expr.failure !== null) throw expr.failure;
      return dialect.placeholder(ctx.bind(expr), expr.type, expr.value.value === null);
    case 'column':
      return `${ctx.relationAlias(expr.relation)}.${dialect.quoteIdentifier(expr.name)}`;
    case 'lazy-record':
      throw new Error('a record was printed that nobody materialised');
    case 'call':
      return entry(dialect.calls, expr.fn)(all(expr.args, ctx), expr, nanTest(ctx));
    case 'case': {
      const branches = expr.branches.map(
        ({ when, then }) => `WHEN ${printExpression(when, ctx)} THEN ${printExpression(then, ctx)}`
      );
      const otherwise = expr.otherwise === null ? '' : ` ELSE ${printExpression(expr.otherwise, ctx)}`;
      return `(CASE ${branches.join(' ')}${otherwise} END)`;
    }
    case 'cast':
      return dialect.cast(printExpression(expr.operand, ctx), expr);
    case 'aggregate':
      return printAggregate(expr, ctx);
    case 'array':
      return dialect.array(all(expr.items, ctx), expr.type);
    case 'struct':
      return dialect.struct(
        expr.fields.map((field) => ({ name: field.name, sql: printExpression(field.expr, ctx) })),
        expr.type
      );
    case 'struct-field':
      return dialect.structField(printExpression(expr.base, ctx), expr.index);
    case 'json-field':
      return dialect.jsonField(printExpression(expr.base, ctx), expr);
    case 'redacted':
      return dialect.redacted(printExpression(expr.operand, ctx), expr);
    case 'subquery':
      return dialect.subquery(expr, nested(ctx));
    case 'in-subquery':
      return dialect.inSubquery(expr, nested(ctx));
  }
}

function all(exprs: readonly Expr[], ctx: PrintContext): readonly string[] {
  return exprs.map((expr) => printExpression(expr, ctx));
}

function entry<T>(table: ReadonlyMap<string, T>, fn: string): T {
  const found = table.get(fn);
  if (found === undefined) throw new Error(`the dialect has no "${fn}"`);
  return found;
}

function printAggregate(expr: AggregateExpr, ctx: PrintContext): string {
  const over = expr.over === null ? '' : ` OVER (${printWindow(expr.over, ctx)})`;
  const parts = { args: all(expr.args, ctx), sort: sortKeys(expr.orderBy, ctx), over };
  return entry(ctx.dialect.aggregates, expr.fn)(parts, expr, nanTest(ctx));
}

function printWindow(window: WindowExpr, ctx: PrintContext): string {
  const clauses: string[] = [];
  if (window.partitionBy.length > 0) clauses.push(`PARTITION BY ${all(window.partitionBy, ctx).join(', ')}`);
  if (window.orderBy.length > 0) clauses.push(`ORDER BY ${windowOrder(window, ctx)}`);
  if (window.frame !== null) {
    const end = window.frame.end ?? ({ kind: 'current-row' } as const);
    clauses.push(`${window.frame.unit} BETWEEN ${printEdge(window.frame.start, ctx)} AND ${printEdge(end, ctx)}`);
  }
  return clauses.join(' ');
}

/** A frame defined by a distance of values needs exactly one key. */
function windowOrder({ orderBy, frame }: WindowExpr, ctx: PrintContext): string {
  const edges = [frame?.start.kind, frame?.end?.kind];
  const isMeasured = frame?.unit === 'RANGE' && (edges.includes('preceding') || edges.includes('following'));
  return sortKeys(orderBy, ctx)
    .map((key) => ctx.dialect.orderKey(isMeasured ? { ...key, mayBeNaN: false } : key))
    .join(', ');
}

function nanTest(ctx: PrintContext): MayBeNaN {
  return (expr) => ctx.numbers.mayBeNaN(expr);
}

function printEdge(edge: FrameEdge, ctx: PrintContext): string {
  switch (edge.kind) {
    case 'unbounded-preceding':
      return 'UNBOUNDED PRECEDING';
    case 'unbounded-following':
      return 'UNBOUNDED FOLLOWING';
    case 'current-row':
      return 'CURRENT ROW';
    case 'preceding':
      return `${printExpression(edge.amount, ctx)} PRECEDING`;
    case 'following':
      return `${printExpression(edge.amount, ctx)} FOLLOWING`;
  }
}

function nested(ctx: PrintContext): NestedPrinter {
  return {
    plan: (plan) => ctx.printPlan(plan),
    expression: (expr, aggregates = ctx.dialect.aggregates) =>
      printExpression(expr, { ...ctx, dialect: { ...ctx.dialect, aggregates } }),
    within: (row) => nested({ ...ctx, rows: [row, ...ctx.rows] }),
    columns: (relation) => ctx.columns(relation),
    relationAlias: (id) => ctx.relationAlias(id),
    mayBeNaN: nanTest(ctx),
    outputMayBeNaN: (plan, name) => ctx.numbers.outputMayBeNaN(plan, name),
  };
}
