/**
 * What a store's SQL looks like, as far as expressions go. A dialect gets operands that are printed already and are safe to put next to
 * any operator; it gives back text with the same promise. It never sees a byte of the caller's text but as literal values.
 */
import type {
  AggregateExpr,
  CallExpr,
  CastExpr,
  Expr,
  InSubqueryExpr,
  JsonFieldExpr,
  LiteralExpr,
  RedactedExpr,
  SortExpr,
  SubqueryExpr,
} from '../ir/expression';
import type { QueryPlan } from '../ir/plan';
import type { Type } from '../ir/types';

export interface Dialect {
  readonly name: string;
  quoteIdentifier(name: string): string;
  /** The store's name of a logical type. */
  typeName(type: Type): string;
  literal(literal: LiteralExpr): string;
  /** The place where bound value number `index` (from 1) goes, read as `type`. */
  placeholder(index: number, type: Type, isNull: boolean): string;
  cast(operand: string, cast: CastExpr): string;
  array(items: readonly string[], type: Type): string;
  struct(fields: readonly { readonly name: string; readonly sql: string }[], type: Type): string;
  structField(base: string, index: number): string;
  jsonField(base: string, field: Pick<JsonFieldExpr, 'path' | 'type'>): string;
  redacted(operand: string, redacted: RedactedExpr): string;
  subquery(expr: SubqueryExpr, printer: NestedPrinter): string;
  inSubquery(expr: InSubqueryExpr, printer: NestedPrinter): string;
  /** One key of an ORDER BY, as GoogleSQL orders: NaN is below all numbers and above NULL, wherever that stands. */
  orderKey(key: SortKey): string;
  /** Scalar functions and operators by `CallExpr.fn`. */
  readonly calls: ReadonlyMap<string, CallPrinter>;
  /** Aggregates and window functions by `AggregateExpr.fn`. */
  readonly aggregates: ReadonlyMap<string, AggregatePrinter>;
}

/** What a dialect may have printed of the tree below an expression. */
export interface NestedPrinter {
  /** A whole query, without parentheses around it; its value is the column `v`. */
  plan(plan: QueryPlan): string;
  /** @param aggregates stand in for those of the dialect */
  expression(expr: Expr, aggregates?: Dialect['aggregates']): string;
  /** Prints inside of a function on lists, where rows around are its arguments instead of rows of tables. */
  within(row: ListedRow): NestedPrinter;
  /** Physical columns of a relation that are read anywhere. */
  columns(relation: number): ReadonlySet<string>;
  relationAlias(id: number): string;
  readonly mayBeNaN: MayBeNaN;
  outputMayBeNaN(plan: QueryPlan, name: string): boolean;
}

/** A row that is an element of a list. */
export interface ListedRow {
  /** What a column of it, or something read out of one, is called; undefined when it is of another row. */
  nameOf(expr: Expr): string | undefined;
}

/** Whether a number, or an element of a list of them, may be NaN. */
export type MayBeNaN = (expr: Expr) => boolean;

export type CallPrinter = (args: readonly string[], call: CallExpr, mayBeNaN: MayBeNaN) => string;

export interface SortKey extends Pick<SortExpr, 'direction' | 'nulls'> {
  readonly sql: string;
  readonly mayBeNaN: boolean;
}

/** `x ASC NULLS FIRST`. @param isNaN a test that orders NaN apart from the numbers; null where it need not be */
export function sortText({ sql, direction, nulls }: SortKey, isNaN: string | null): string {
  const order = `${direction} NULLS ${nulls}`;
  return `${isNaN === null ? '' : `(NOT ${isNaN}) ${order}, `}${sql} ${order}`;
}

export interface AggregateParts {
  readonly args: readonly string[];
  readonly sort: readonly SortKey[];
  /** ` OVER (...)`, or empty; stands right after the call. */
  readonly over: string;
}

export type AggregatePrinter = (parts: AggregateParts, call: AggregateExpr, mayBeNaN: MayBeNaN) => string;
