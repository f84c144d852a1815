/** Rows as elements of a list, in functions on arrays. */
import type { Read } from '../../ir/correlation';
import type { Expr, SortExpr } from '../../ir/expression';
import type { QueryPlan } from '../../ir/plan';
import type { Type } from '../../ir/types';
import type { ListedRow, NestedPrinter } from '../dialect';
import { quoteIdentifier, quoteText, typeName } from './literals';

/** Rows of one or several relations as an array of named tuples. */
export interface ListedRows {
  readonly sql: string;
  /** ClickHouse's type of one of them, a `Tuple` with names. */
  readonly type: string;
  /** What functions call one of them. */
  readonly alias: string;
  /** True when these are the first rows already. */
  readonly isCut?: boolean;
  /** What a column, or something read out of one, is called in a row of this name; undefined when the row does not have it. */
  nameIn(row: string, expr: Expr): string | undefined;
}

export interface FirstRows {
  readonly order: readonly SortExpr[];
  /** Cuts a list that is in order. */
  cut(list: string): string;
  /** The start of such a list, behind which nothing is needed of it. */
  start(list: string): string;
}

/** What is around a FROM clause whose rows become a list. */
export interface ListContext {
  readonly printer: NestedPrinter;
  /** What is read of the rows apart from conditions, and maybe more. */
  readonly reads: readonly Read[];
  /** What is wanted of the rows, if nothing but some of them in an order. */
  readonly first?: FirstRows | undefined;
  /** The outputs of a query as an array of tuples without names. */
  records(plan: QueryPlan, outputs: readonly string[], printer: NestedPrinter): string;
}

/** One row of a list, as expressions see it. */
export function oneOf({ alias, nameIn }: ListedRows): ListedRow {
  return { nameOf: (expr) => nameIn(alias, expr) };
}

/** The rows for which all conditions hold. */
export function filtered(rows: ListedRows, conditions: readonly Expr[], printer: NestedPrinter): ListedRows {
  if (conditions.length === 0) return rows;
  return { ...rows, sql: `arrayFilter(${rows.alias} -> ${holds(rows, conditions, printer)}, ${rows.sql})` };
}

/** Whether all conditions hold for one of the rows. */
export function holds(rows: ListedRows, conditions: readonly Expr[], printer: NestedPrinter): string {
  const row = printer.within(oneOf(rows));
  return `ifNull(${conditions.map((expr) => row.expression(expr)).join(' AND ')}, FALSE)`;
}

/** @param fields never empty in ClickHouse: without any there is one that nobody reads */
export function recordType(fields: readonly { readonly name: string; readonly type: Type }[]): string {
  const all = fields.map(({ name, type }) => `${quoteIdentifier(name)} ${typeName(type)}`);
  return `Tuple(${all.join(', ') || '"one" UInt8'})`;
}

export function castRows(sql: string, type: string): string {
  return `CAST(${sql}, ${quoteText(`Array(${type})`)})`;
}
