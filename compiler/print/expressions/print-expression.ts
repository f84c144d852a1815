/**
 * Prints typed expressions as store SQL. Each printed operand is self-contained: a call, a CASE, a name, or in
 * parentheses.
 */
import { ServiceError } from '#contract/errors';
import type {
  AggregateExpr,
  BoundExpr,
  CallExpr,
  Expr,
  FrameEdge,
  LambdaExpr,
  SortExpr,
  WindowExpr,
} from '../../ir/expression';
import { isCall } from '../../ir/operations/call';
import type { Magnitudes } from '../../ir/passes/numbers/magnitude';
import { mayFail } from '../../ir/passes/conditions/may-fail';
import { innerArithmetic, isArithmetic, isSafe, leavesOf } from '../../ir/passes/numbers/overflow';
import type { AggregateName, GroupOps, OperandsOf, OpName } from '../../ir/operations/ops';
import type { QueryPlan } from '../../ir/plan';
import { siteOf } from '../../ir/sites';
import {
  type AggregatePrinters,
  type Dialect,
  type RowNames,
  type MayBeNaN,
  type NestedPrinter,
  type Operand,
  type RangeForm,
  type SortKey,
  withoutRepeated,
} from '../dialect/dialect';
import { isOfKeys } from '../base/aggregates';
import { atPlace } from './failure-place';
import type { PrintBudget } from './print-budget';
import { itemAt } from '../../items';

/** Arithmetic of intervals is a text of some kilobytes. */
const INTERVAL_COST = 1_000;
/** So is each level of JSON_KEYS, and ClickHouse analyzes nested functions slowly. */
const JSON_LEVEL_COST = 5_000;
/** And a list of records in a record: ClickHouse takes ten milliseconds to analyze one. */
const LIST_IN_RECORD_COST = 300;

export interface PrintContext {
  readonly dialect: Dialect;
  readonly budget: PrintBudget;
  /** Time of the request in microseconds since 1970. */
  now(): bigint;
  /** Registers the value and returns its number, from 1. Equal keys share one number. @throws the value's failure */
  bind(bound: BoundExpr): number;
  /** The alias of a relation, e.g. `t3`. */
  relationAlias(id: number): string;
  /** Physical columns of a relation that are read anywhere. */
  columns(relation: number): ReadonlySet<string>;
  /** Rows of the enclosing array functions, innermost first. */
  readonly rows: readonly RowNames[];
  /** Whether the expression must not fail where no row needs it, such as a result of CASE. */
  readonly isBranch?: boolean;
  /** Prints a query without parentheses. */
  printPlan(plan: QueryPlan): string;
  readonly numbers: Magnitudes;
  /** Whether a sum of whole numbers is known to be within INT64. */
  readonly isBoundedSum: (call: AggregateExpr) => boolean;
  /** Called for an expression that may fail on some row. */
  readonly onMayFail: () => void;
  /** Number of the place of an expression that may fail; null if it is unknown. */
  readonly placeOf: (expr: Expr) => number | null;
}

/** @throws ServiceError query_too_complex; bad_parameter of a value that did not convert. */
export function printExpression(expr: Expr, ctx: PrintContext): string {
  ctx.budget.enter(expr, costOf(expr));
  const sql = print(expr, ctx);
  ctx.budget.leave();
  return sql;
}

function costOf(expr: Expr): number {
  if (isCall(expr, 'json_keys')) return (expr.options.levels - 1) * JSON_LEVEL_COST + 1;
  if (expr.kind === 'json-field' && expr.type.kind === 'ARRAY' && expr.type.element.kind === 'RECORD')
    return LIST_IN_RECORD_COST;
  return expr.type.kind === 'INTERVAL' && expr.kind === 'call' ? INTERVAL_COST : 1;
}

function sortKeys(keys: readonly SortExpr[], ctx: PrintContext): readonly SortKey[] {
  return withoutRepeated(
    keys.map(({ expr, direction, nulls }) => {
      return { sql: printExpression(expr, ctx), direction, nulls, mayBeNaN: ctx.numbers.mayBeNaN(expr) };
    })
  );
}

function print(expr: Expr, ctx: PrintContext): string {
  if (!mayFail(expr)) return printNode(expr, ctx);
  ctx.onMayFail();
  const isSafe = (expr.kind === 'call' || expr.kind === 'aggregate') && expr.safe === true;
  const element = ctx.isBranch ? elementsAround(ctx)[0] : undefined;
  return atPlace(ctx.placeOf(expr), isSafe, () => printNode(expr, ctx), element);
}

function printNode(expr: Expr, ctx: PrintContext): string {
  const { dialect } = ctx;
  for (const row of ctx.rows) {
    const name = row.nameOf(expr);
    if (name !== undefined) return name;
  }
  switch (expr.kind) {
    case 'literal':
      return dialect.literal(expr);
    case 'now':
      return dialect.literal({ kind: 'literal', type: expr.type, value: ctx.now() + expr.offsetMicros });
    case 'bound':
      if (expr.failure !== null) throw expr.failure;
      return dialect.placeholder(ctx.bind(expr), expr.type, expr.value.value === null);
    case 'column':
      return `${ctx.relationAlias(expr.relation)}.${dialect.quoteIdentifier(expr.name)}`;
    case 'lazy-record':
      throw new Error('A record was printed before it was materialized.');
    case 'call':
      return printCall(expr, ctx);
    case 'case': {
      const inBranch: PrintContext = { ...ctx, isBranch: true };
      const branches = expr.branches.map(
        ({ when, then }) => `WHEN ${printExpression(when, ctx)} THEN ${printExpression(then, inBranch)}`
      );
      const otherwise = expr.otherwise === null ? '' : ` ELSE ${printExpression(expr.otherwise, inBranch)}`;
      return `(CASE ${branches.join(' ')}${otherwise} END)`;
    }
    case 'cast':
      return dialect.cast(printExpression(expr.operand, ctx), expr);
    case 'aggregate':
      return printAggregate(expr, ctx);
    case 'element':
      // Stores count from 1.
      return expr.of === 'offset' ? `(${expr.name} - 1)` : expr.name;
    case 'lambda':
      return printLambda(expr, ctx);
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

function printLambda({ parameters, body }: LambdaExpr, ctx: PrintContext): string {
  const names = parameters.map(({ name }) => name);
  const row: RowNames = { element: names[0] ?? '', nameOf: () => undefined };
  return ctx.dialect.lambda(names, printExpression(body, { ...ctx, rows: [row, ...ctx.rows], isBranch: true }));
}

/** Names of the elements around an expression. A group hides its rows, which only its aggregates read. */
function elementsAround({ rows }: PrintContext): readonly string[] {
  return rows.flatMap(({ element }, index) => (element === undefined || rows[index - 1]?.isGroup ? [] : [element]));
}

function all(exprs: readonly Expr[], ctx: PrintContext): readonly string[] {
  return exprs.map((expr) => printExpression(expr, ctx));
}

function keys(exprs: readonly Expr[], ctx: PrintContext): readonly string[] {
  return exprs.map((expr) => {
    const sql = printExpression(expr, ctx);
    return ctx.dialect.keyForm(expr)?.(sql) ?? sql;
  });
}

function printCall<O extends OpName>(call: CallExpr<O>, ctx: PrintContext): string {
  if (isArithmetic(call) && ctx.numbers.mayOverflow(call)) return printFinite(call, ctx);
  const { randomOf } = ctx.dialect;
  if (randomOf !== null && isCall(call, 'random', 'random_uuid')) {
    const elements = elementsAround(ctx);
    if (elements.length > 0) return randomOf(call, elements);
  }
  const later: PrintContext = isCall(call, 'coalesce') ? { ...ctx, isBranch: true } : ctx;
  const operands = call.args.map((expr, index) => ({ expr, sql: printExpression(expr, index === 0 ? ctx : later) }));
  return printOf(call, operands, ctx);
}

function printOf<O extends OpName>(call: CallExpr<O>, operands: readonly Operand[], ctx: PrintContext): string {
  const print = ownEntry(ctx.dialect.calls, call.fn);
  // `callOf` checked the number of operands.
  return print(operands as unknown as OperandsOf<O, Operand>, call, nanTest(ctx));
}

/** Arithmetic whose result is tested once. */
function printFinite(call: CallExpr, ctx: PrintContext): string {
  const leaves = leavesOf(call);
  const operands = leaves.map((expr) => ({ expr, sql: printExpression(expr, ctx) }));
  const unbounded = [...leaves.keys()].filter((index) => ctx.numbers.mayBeInfinite(itemAt(leaves, index)));
  const result = (names: readonly string[]): string => {
    let used = 0;
    const print = (part: CallExpr): string => {
      ctx.budget.enter(part);
      const args = part.args.map((expr, index) => {
        const inner = innerArithmetic(part, index);
        return { expr, sql: inner === undefined ? itemAt(names, used++) : print(inner) };
      });
      ctx.budget.leave();
      return printOf(part, args, ctx);
    };
    return print(call);
  };
  return ctx.dialect.finite({ operands, unbounded, safe: isSafe(call), result });
}

function printAggregate<O extends AggregateName>(call: AggregateExpr<O>, around: PrintContext): string {
  const ctx = call.over === null ? ofRows(around) : around;
  const { over: window } = call;
  const over = window === null ? '' : ` OVER (${inText(call, () => printWindow(window, ctx))})`;
  const args = (isOfKeys(call) ? keys(call.args, ctx) : all(call.args, ctx)) as unknown as OperandsOf<O, string>;
  const print = ownEntry(ctx.dialect.aggregates, call.fn);
  const isBounded = call.fn === 'sum' && ctx.isBoundedSum(call);
  const sql = print({ args, sort: sortKeys(call.orderBy, ctx), over, isBounded }, call, nanTest(ctx));
  if (call.fn !== 'sum' || call.type.kind !== 'FLOAT64' || call.over !== null) return sql;
  const [added] = call.args;
  // With an infinite number among those added, the sum may be infinite.
  if (added === undefined || ctx.numbers.mayBeInfinite(added)) return sql;
  return ctx.dialect.finite({ operands: [], unbounded: [], safe: call.safe === true, result: () => sql });
}

/** Aggregates read the rows of a group. */
function ofRows(ctx: PrintContext): PrintContext {
  const [innermost, ...rows] = ctx.rows;
  return innermost?.isGroup ? { ...ctx, rows } : ctx;
}

/** Denies what the types cannot: a name of an object's prototype. */
function ownEntry<T extends object, K extends keyof T>(table: T, name: K): T[K] {
  if (!Object.hasOwn(table, name)) throw new Error(`The dialect cannot print "${String(name)}".`);
  return table[name];
}

/** Gives a refusal the place of the call in the caller's text. */
function inText<T>(call: AggregateExpr, print: () => T): T {
  try {
    return print();
  } catch (error) {
    const site = siteOf(call);
    if (!(error instanceof ServiceError) || site === undefined || error.details.position !== undefined) throw error;
    const { line, column } = site;
    throw new ServiceError(
      error.code,
      error.message,
      { ...error.details, position: { line, column } },
      { cause: error }
    );
  }
}

function printWindow(window: WindowExpr, ctx: PrintContext): string {
  const clauses: string[] = [];
  if (window.partitionBy.length > 0)
    clauses.push(`PARTITION BY ${[...new Set(keys(window.partitionBy, ctx))].join(', ')}`);
  const form = ctx.dialect.rangeForm(window);
  if (window.orderBy.length > 0) clauses.push(`ORDER BY ${windowOrder(window, form, ctx)}`);
  if (window.frame !== null) {
    const amount = form?.amount ?? ((expr: Expr) => printExpression(expr, ctx));
    const { unit, start, end } = window.frame;
    clauses.push(`${unit} BETWEEN ${printEdge(start, amount)} AND ${printEdge(end ?? CURRENT_ROW, amount)}`);
  }
  return clauses.join(' ');
}

/** A frame defined by a distance of values needs exactly one key. */
function windowOrder({ orderBy, frame }: WindowExpr, form: RangeForm | null, ctx: PrintContext): string {
  const edges = [frame?.start.kind, frame?.end?.kind];
  const isMeasured = frame?.unit === 'RANGE' && (edges.includes('preceding') || edges.includes('following'));
  return sortKeys(orderBy, ctx)
    .map((key) => (isMeasured ? { ...key, mayBeNaN: false } : key))
    .map((key) => ctx.dialect.orderKey(form === null ? key : form.key(key)))
    .join(', ');
}

function nanTest(ctx: PrintContext): MayBeNaN {
  return (expr) => ctx.numbers.mayBeNaN(expr);
}

const CURRENT_ROW: FrameEdge = { kind: 'current-row' };

function printEdge(edge: FrameEdge, amount: (expr: Expr) => string): string {
  switch (edge.kind) {
    case 'unbounded-preceding':
      return 'UNBOUNDED PRECEDING';
    case 'unbounded-following':
      return 'UNBOUNDED FOLLOWING';
    case 'current-row':
      return 'CURRENT ROW';
    case 'preceding':
      return `${amount(edge.amount)} PRECEDING`;
    case 'following':
      return `${amount(edge.amount)} FOLLOWING`;
  }
}

function withGroups(ctx: PrintContext, groups: AggregatePrinters<GroupOps>): PrintContext {
  return { ...ctx, dialect: { ...ctx.dialect, aggregates: { ...ctx.dialect.aggregates, ...groups } } };
}

function nested(ctx: PrintContext): NestedPrinter {
  return {
    plan: (plan) => ctx.printPlan(plan),
    expression: (expr, aggregates) =>
      printExpression(expr, aggregates === undefined ? ctx : withGroups(ctx, aggregates)),
    within: (row, isCondition = false) =>
      nested({ ...ctx, rows: [row, ...ctx.rows], isBranch: !isCondition || ctx.isBranch === true }),
    columns: (relation) => ctx.columns(relation),
    relationAlias: (id) => ctx.relationAlias(id),
    mayBeNaN: nanTest(ctx),
    outputMayBeNaN: (plan, name) => ctx.numbers.outputMayBeNaN(plan, name),
  };
}
