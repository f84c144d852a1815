/**
 * A store's SQL for expressions. A dialect receives printed operands that are safe next to any operator, and returns
 * text with the same property. It sees the caller's text only as literal values.
 */
import type {
  AggregateExpr,
  CallExpr,
  CastExpr,
  ColumnExpr,
  Expr,
  InSubqueryExpr,
  JsonFieldExpr,
  LiteralExpr,
  RedactedExpr,
  SortExpr,
  SubqueryExpr,
  WindowExpr,
} from '../../ir/expression';
import type { AggregateName, AggregateOps, GroupOps, OperandsOf, OpName, Ops } from '../../ir/operations/ops';
import type { QueryPlan } from '../../ir/plan';
import type { Type } from '../../ir/types';

export interface Dialect {
  readonly name: string;
  quoteIdentifier(name: string): string;
  /** Store type of a logical type. */
  typeName(type: Type): string;
  literal(literal: LiteralExpr): string;
  /** Placeholder of bound value number `index` (from 1), read as `type`. */
  placeholder(index: number, type: Type, isNull: boolean): string;
  cast(operand: string, cast: CastExpr): string;
  /** A lambda that lists its parameters, for the operations of `LambdaOps`. */
  lambda(parameters: readonly string[], body: string): string;
  /** A random value for each combination of elements of the functions on lists around it; null: as elsewhere. */
  readonly randomOf: ((call: CallExpr<'random' | 'random_uuid'>, elements: readonly string[]) => string) | null;
  array(items: readonly string[], type: Type): string;
  struct(fields: readonly { readonly name: string; readonly sql: string }[], type: Type): string;
  structField(base: string, index: number): string;
  jsonField(base: string, field: JsonField): string;
  redacted(operand: string, redacted: RedactedExpr): string;
  subquery(expr: SubqueryExpr, printer: NestedPrinter): string;
  inSubquery(expr: InSubqueryExpr, printer: NestedPrinter): string;
  /** A FLOAT64 that must be finite unless an operand is not. */
  finite(check: FiniteCheck): string;
  /** An ORDER BY key with GoogleSQL's order: NaN below all numbers; NULL first or last as specified. */
  orderKey(key: SortKey): string;
  /** How a RANGE frame is printed whose amounts the store does not take; null: as it is. */
  rangeForm(window: WindowExpr): RangeForm | null;
  /**
   * How values are printed as keys of groups, sets and joins, where a store may not take equal values for the same;
   * null: as they are.
   */
  keyForm(expr: Expr): KeyForm | null;
  /** What calls on the same column have in common; null: nothing that is worth a column of its own. */
  readonly sharedPart: SharedPart | null;
  readonly calls: CallPrinters;
  readonly aggregates: AggregatePrinters;
}

export interface SharedPart {
  /** Operations that read such a part. */
  readonly readers: readonly OpName[];
  /** Column of which a call reads the part; undefined for other expressions. */
  columnOf(expr: Expr): ColumnExpr | undefined;
  /** Never fails. @param column a short text */
  part(column: string): string;
  /** @param part a short text for the part of the column */
  call(call: Expr, column: string, part: string): string;
}

export type KeyForm = (sql: string) => string;

/** Callbacks with which a dialect prints nested expressions and queries. */
export interface NestedPrinter {
  /** A query without parentheses; its value is the column `v`. */
  plan(plan: QueryPlan): string;
  /** @param aggregates replace those of the dialect */
  expression(expr: Expr, aggregates?: AggregatePrinters<GroupOps>): string;
  /**
   * Printer for the inside of an array function, where outer rows are function arguments instead of table rows.
   *
   * @param isCondition whether it is computed for each pair of rows, so that what reads one of them is computed before
   */
  within(row: RowNames, isCondition?: boolean): NestedPrinter;
  /** Physical columns of a relation that are read anywhere. */
  columns(relation: number): ReadonlySet<string>;
  relationAlias(id: number): string;
  readonly mayBeNaN: MayBeNaN;
  outputMayBeNaN(plan: QueryPlan, name: string): boolean;
}

export interface FiniteCheck {
  readonly operands: readonly Operand[];
  /** Indexes of the operands that may be infinite or NaN themselves. */
  readonly unbounded: readonly number[];
  /** NULL instead of a failure of the run. */
  readonly safe: boolean;
  /** Prints the number. @param names short texts for the operands */
  readonly result: (names: readonly string[]) => string;
}

/** Names of the values of a row, such as that of an array which is the argument of a lambda. */
export interface RowNames {
  /** Name of a column, or of a value derived from one; undefined when it belongs to another row. */
  nameOf(expr: Expr): string | undefined;
  /** Name of the row itself, when it is an element of an array. */
  readonly element?: string;
  /** True for a group of rows, whose aggregates read the rows. */
  readonly isGroup?: true;
}

/** Whether a number, or an element of a list of numbers, may be NaN. */
export type MayBeNaN = (expr: Expr) => boolean;

/** A printed operand with its expression. */
export interface Operand {
  readonly sql: string;
  readonly expr: Expr;
}

/** Prints a scalar operation. */
export type CallPrinter<O extends OpName = OpName> = (
  operands: OperandsOf<O, Operand>,
  call: CallExpr<O>,
  mayBeNaN: MayBeNaN
) => string;

/** A printer for each operation of a family, by default for all. */
export type CallPrinters<Family = Ops> = { readonly [O in keyof Family & OpName]: CallPrinter<O> };

/** A field of a record, which is the column of a table where there is no `base`. */
export type JsonField = Pick<JsonFieldExpr, 'path' | 'type'> & Partial<Pick<JsonFieldExpr, 'base'>>;

export interface RangeForm {
  readonly key: (sorted: SortKey) => SortKey;
  /** Null: as it is. */
  readonly amount: ((amount: Expr) => string) | null;
}

export interface SortKey extends Pick<SortExpr, 'direction' | 'nulls'> {
  readonly sql: string;
  readonly mayBeNaN: boolean;
}

/** A key that comes again changes no order, and stores sort by each key: hundreds of them take seconds. */
export function withoutRepeated<K extends Pick<SortKey, 'sql'>>(keys: readonly K[]): readonly K[] {
  const seen = new Set<string>();
  return keys.filter(({ sql }) => {
    const isNew = !seen.has(sql);
    seen.add(sql);
    return isNew;
  });
}

/** Prints `x ASC NULLS FIRST`. @param isNaN expression that sorts NaN apart from numbers; null if unnecessary */
export function sortText({ sql, direction, nulls }: SortKey, isNaN: string | null): string {
  const order = `${direction} NULLS ${nulls}`;
  return `${isNaN === null ? '' : `(NOT ${isNaN}) ${order}, `}${sql} ${order}`;
}

/** Printed parts of a call of an aggregate or window function. */
export interface AggregateParts<O extends AggregateName = AggregateName> {
  readonly args: OperandsOf<O, string>;
  readonly sort: readonly SortKey[];
  /** ` OVER (...)` to append to the call, or empty. */
  readonly over: string;
  /** For a sum of whole numbers that is known to be within INT64. */
  readonly isBounded?: boolean;
}

export type AggregatePrinter<O extends AggregateName = AggregateName> = (
  parts: AggregateParts<O>,
  call: AggregateExpr<O>,
  mayBeNaN: MayBeNaN
) => string;

/** Prints any function of some kind alike. */
export type AnyAggregatePrinter = (
  parts: Pick<AggregateParts, 'sort' | 'over'> & { readonly args: readonly (string | undefined)[] },
  call: AggregateExpr,
  mayBeNaN: MayBeNaN
) => string;

/** A printer for each function of a family, by default for all. */
export type AggregatePrinters<Family = AggregateOps> = {
  readonly [O in keyof Family & AggregateName]: AggregatePrinter<O>;
};
