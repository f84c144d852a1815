/** Rows as elements of an array, for queries printed as array functions. */
import type { Read } from '../../../ir/passes/correlation/correlation';
import type { Expr, SortExpr } from '../../../ir/expression';
import type { QueryPlan } from '../../../ir/plan';
import type { Type } from '../../../ir/types';
import type { RowNames, NestedPrinter } from '../../dialect/dialect';
import { quoteIdentifier, quoteText, typeName } from '../values/literals';

/** Rows of one or several relations as an array of named tuples. */
export interface ArrayRows {
  readonly sql: string;
  /** ClickHouse type of a row, a `Tuple` with names. */
  readonly type: string;
  /** Name of a row inside functions. */
  readonly alias: string;
  /** Whether the array contains only the first rows already. */
  readonly isCut?: boolean;
  /**
   * Name of a column, or of a value derived from one, in a row of this name; undefined when the row does not contain
   * it.
   */
  readonly nameIn: (row: string, expr: Expr) => string | undefined;
}

export interface FirstRows {
  readonly order: readonly SortExpr[];
  /** Applies the limit to a sorted array. */
  readonly cut: (list: string) => string;
  /** Prefix of a sorted array that is sufficient for the result. */
  readonly start: (list: string) => string;
}

/** Context of a FROM clause whose rows become an array. */
export interface ArrayContext {
  readonly printer: NestedPrinter;
  /** Reads of the rows outside of conditions; may include more. */
  readonly reads: readonly Read[];
  /** Set when only the first rows in some order are needed. */
  readonly first?: FirstRows | undefined;
  /** Outputs of a query as an array of unnamed tuples. */
  readonly records: (plan: QueryPlan, outputs: readonly string[], printer: NestedPrinter) => string;
}

/** One row of an array, for printing expressions. */
export function elementOf({ alias, nameIn }: ArrayRows): RowNames {
  return { element: alias, nameOf: (expr) => nameIn(alias, expr) };
}

/** The group of this name, outside of its aggregates. */
export function groupNamed(name: string): RowNames {
  return { isGroup: true, element: name, nameOf: () => undefined };
}

/** Rows that satisfy all conditions. */
export function filtered(rows: ArrayRows, conditions: readonly Expr[], printer: NestedPrinter): ArrayRows {
  if (conditions.length === 0) return rows;
  return { ...rows, sql: `arrayFilter(${rows.alias} -> ${holds(rows, conditions, printer)}, ${rows.sql})` };
}

/** Whether a row satisfies all conditions. */
export function holds(rows: ArrayRows, conditions: readonly Expr[], printer: NestedPrinter): string {
  const row = printer.within(elementOf(rows), true);
  return `ifNull(${conditions.map((expr) => row.expression(expr)).join(' AND ')}, FALSE)`;
}

/** @param fields ClickHouse does not allow an empty tuple; without fields it gets an unused one */
export function recordType(fields: readonly { readonly name: string; readonly type: Type }[]): string {
  const all = fields.map(({ name, type }) => `${quoteIdentifier(name)} ${typeName(type)}`);
  return `Tuple(${all.join(', ') || '"one" UInt8'})`;
}

export function castRows(sql: string, type: string): string {
  return `CAST(${sql}, ${quoteText(`Array(${type})`)})`;
}
