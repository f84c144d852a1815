/** A store's SQL for relations: parts of a source, joins, lists, grouping. */
import type { CatalogPart, RowRange } from '../../catalog/catalog';
import type { Expr } from '../../ir/expression';
import type { Magnitudes } from '../../ir/passes/numbers/magnitude';
import type { RelationInput, UnnestPlan } from '../../ir/plan';
import type { Site } from '../../ast/site';
import type { Type } from '../../ir/types';
import type { KeyForm, RowNames, SharedPart, SortKey } from './dialect';

/** Parts that are printed by the expression printer. */
export interface PlanDialect extends RelationDialect {
  expression(expr: Expr): string;
  /** Prints an expression with other names for the values of some rows. */
  within(rows: readonly RowNames[], expr: Expr): string;
  orderKey(key: SortKey): string;
  keyForm(expr: Expr): KeyForm | null;
  /** Number of a place where the run may fail. */
  placeOf(site: Site | null): number;
  readonly sharedPart: SharedPart | null;
  /** Text at a path of JSON text. */
  jsonText(json: string, path: readonly string[]): string;
  readonly numbers: Magnitudes;
}

export interface TextIndex {
  /** Number of characters of the pieces. Shorter texts cannot be looked up. */
  readonly pieceLength: number;
  /**
   * Comparison of a column with a pattern, in the form that the index is used for. NULL is compared as an empty text.
   */
  like(column: string, pattern: string): string;
}

export interface RelationDialect {
  quoteIdentifier(name: string): string;
  /** Reads a column of a part as the logical type. With `part` null, or for a missing column: NULL of that type. */
  partColumn(part: CatalogPart | null, name: string, type: Type): string;
  /** Whether a column of the part needs no conversion. */
  isPlain(part: CatalogPart, name: string, type: Type): boolean;
  tableName(part: CatalogPart): string;
  /** The index on texts that a part may have; null: the store has none. */
  readonly textIndex: TextIndex | null;
  /** A test whether the values of columns, as one text, contain a text; null: the store composes no columns. */
  readonly textTest:
    ((columns: readonly { readonly name: string; readonly type: Type }[], text: string) => string) | null;
  /** A condition for the rows of a part with these numbers. */
  numbered(range: RowRange): string;
  /** Rows of `from`, which has this alias, each combined with the elements of its list. */
  unnested(from: string, alias: string, unnest: UnnestPlan, list: string): string;
  /** A table of the elements of a list. */
  listRows(input: ListInput, list: string): string;
  /**
   * Rows of a join, each combined with the elements of a list read from them; `left` is null when the list comes first.
   */
  lateral(left: string | null, alias: string, input: ListInput, list: string, keepsLeft: boolean): string;
  /** A join used as the right side of another join, with the columns that are read of it. */
  joinGroup(join: string, columns: readonly GroupColumn[], alias: string): string;
  /** A condition that may be the constant NULL, or is only a column of a join or a subquery. */
  nullAsFalse(condition: string): string;
  /** Prefix for the conditions of an outer join without an equality, given a column of each side; may be empty. */
  looseJoinKey(left: string, right: string): string;
  /** A subquery of which no column is read, with its alias, so that `looseJoinKey` has a column of it. */
  keyed(sql: string, alias: string): string;
  /** GROUP BY and HAVING that make all rows one group, even if there are none. */
  groupOfAll(
    isAggregated: boolean,
    having: readonly string[]
  ): { readonly groupBy: string; readonly having: readonly string[] };
  /** Conditions of groups whose keys are constants: no group of no rows. */
  groupsOfConstants(having: readonly string[]): readonly string[];
  /** A key of several grouping sets, which is NULL in the rows of sets without it. */
  groupingKey(sql: string, type: Type): string;
  /** A value of the result in the form that the store returns. */
  result(sql: string, type: Type): string;
  /** A constant as a column of a query over a join, which has the other column. */
  constantOfJoin(sql: string, column: string): string;
  /** A value converted to the store's exact type of a logical one. */
  aligned(sql: string, type: Type): string;
  /**
   * A query for the rows of one part that satisfy a condition. If guarded, no enclosing expression is evaluated on
   * other rows or sees their values, even if the store reorders conditions.
   */
  confined(part: ConfinedPart): string;
  /** Whether the condition of an outer join may have subqueries that are values. */
  readonly joinsBySubqueries: boolean;
  /** Whether aggregates and window calls of a subquery must not read outer columns directly. */
  readonly importsOuterColumns: boolean;
  /** Number of a recursive step, from 0. */
  readonly firstStep: string;
  /** Number of the step after those with numbers in this column; fails beyond the limit. */
  nextStep(column: string): string;
  /** A WITH query of whose rows no filter of its readers with random values is evaluated earlier. */
  tableBehindFilters(name: string): string;
  /** A query of FROM whose random condition no join around it evaluates. */
  samplingQuery(sql: string): string;
  /** A query of rows that are written, in their order; null: the store has no such form. */
  readonly writtenTable: ((names: readonly string[], rows: readonly (readonly string[])[]) => string) | null;
  /** Keyword between the name of a WITH query and its text. */
  withHint(table: { readonly readers: number; readonly hasConstantRows: boolean }): string;
}

export interface ConfinedPart {
  readonly part: CatalogPart;
  readonly columns: readonly { readonly sql: string; readonly name: string; readonly type: Type }[];
  /** TRUE for the tenant's rows, FALSE or NULL for all others. */
  readonly condition: string;
  /** Whether the condition compares a stored column, which DuckDB evaluates while scanning. */
  readonly isPlain: boolean;
  readonly guarded: boolean;
  /** Another condition on the row alone, which cannot fail; null: none. */
  readonly rows: string | null;
}

/** `t3."c1"` */
export interface GroupColumn {
  readonly relation: string;
  readonly name: string;
}

export type ListInput = Extract<RelationInput, { kind: 'list' }>;
