/**
 * Typed intermediate representation of queries. Plans are complete when names are resolved: the resolver builds them as
 * drafts (`resolve/drafts.ts`), to which relations add physical columns on demand; passes and printers only read them.
 */
import type { CatalogPart } from '../catalog/catalog';
import type { BoundExpr, Expr, SortExpr } from './expression';
import type { Type } from './types';
import type { Site } from '../ast/site';

/** A physical output column of a plan; `name` is generated (`c1`), never the caller's. */
export interface PhysicalOutput {
  readonly name: string;
  readonly expr: Expr;
}

/** A column as readers of the query see it. */
export interface LogicalColumn {
  readonly name: string;
  readonly type: Type;
  /** True for a field that can be read by name but is not listed. */
  readonly isHidden?: boolean;
}

export interface CommonTablePlan {
  /** Generated name (`w3_edge_logs`). */
  readonly name: string;
  readonly plan: QueryPlan;
  /** Number of FROM items that name it, read or not. */
  readonly readers: number;
  /** Set for a query that reads itself: its body is a union of the first rows and the rows of a step. */
  readonly recursion?: Recursion;
}

export interface Recursion {
  /** The rows of the step before, as the second branch reads them. */
  readonly self: Pick<CommonTablePlan, 'name'>;
  /** Where the query is named; null outside of the caller's text. */
  readonly site: Site | null;
}

/** Sort key: a physical output of the same block by name, or an expression. */
export type SortItem = SortExpr & { readonly output: string | null };

export interface QueryPlan {
  readonly kind: 'query';
  readonly body: SelectPlan | SetPlan;
  /** Order of the body as a whole. */
  readonly orderBy: readonly SortItem[];
  readonly limit: Expr | null;
  readonly offset: Expr | null;
  /** Output that is the value of a subquery used as a value, a list or the choices of IN. */
  readonly value: string | null;
  /** Whether the order of the rows is visible without a limit: ARRAY(SELECT ..). */
  readonly ordered: boolean;
}

export interface SelectPlan {
  readonly kind: 'select';
  readonly distinct: boolean;
  readonly outputs: readonly PhysicalOutput[];
  readonly from: FromPlan | null;
  readonly where: readonly Expr[];
  /** Null: not grouped. Empty: one group of all rows. */
  readonly groupBy: readonly Expr[] | null;
  /** Positions in `groupBy` of the keys of each grouping set; null: one set of all keys. */
  readonly groupingSets?: readonly (readonly number[])[] | null;
  readonly having: Expr | null;
  readonly qualify: Expr | null;
}

export interface SetOutput {
  readonly name: string;
  readonly branchOutputs: readonly string[];
  readonly type: Type;
}

export interface SetPlan {
  readonly kind: 'set';
  readonly operator: 'UNION ALL' | 'UNION DISTINCT' | 'INTERSECT DISTINCT' | 'EXCEPT DISTINCT';
  readonly branches: readonly QueryPlan[];
  /** Names of the set's columns, and for each branch the physical output at that position. */
  readonly outputs: readonly SetOutput[];
}

export type FromPlan = RelationPlan | JoinPlan;

export interface JoinPlan {
  readonly kind: 'join';
  readonly join: 'CROSS' | 'INNER' | 'LEFT' | 'RIGHT' | 'FULL';
  readonly left: FromPlan;
  readonly right: FromPlan;
  readonly on: readonly Expr[];
}

/** A FROM item with its own alias (`t3`). */
export interface RelationPlan {
  readonly kind: 'relation';
  readonly id: number;
  readonly input: RelationInput;
  /** Lists opened for each row inside the item. */
  readonly unnests: readonly UnnestPlan[];
}

export type RelationInput =
  | ScanInput
  | { readonly kind: 'common-table'; readonly table: CommonTablePlan }
  | { readonly kind: 'derived'; readonly plan: QueryPlan }
  /** `UNNEST(list)` as a separate FROM item; `lateral` if the list reads columns of items to its left. */
  | {
      readonly kind: 'list';
      readonly list: Expr;
      readonly element: string;
      readonly offset: string | null;
      readonly lateral: boolean;
    }
  /** One row without columns. */
  | { readonly kind: 'single-row' };

/** A source: the union of its parts, with the requested columns only. */
export interface ScanInput {
  readonly kind: 'scan';
  readonly source: string;
  readonly parts: readonly CatalogPart[];
  /** Requested physical columns with the logical types to read. */
  readonly columns: ReadonlyMap<string, Type>;
  /** Requested columns that say whether a record is present -> the columns of what is in it, at any depth. */
  readonly presences: ReadonlyMap<string, ReadonlySet<string>>;
  /** Nested fields that are read from JSON text by their paths; null: none are. */
  readonly nested: NestedReads | null;
  /** Compile-time bounds of `timestamp` in microseconds, inclusive; parts outside are not read. */
  readonly bounds: { readonly fromMicros: number; readonly toMicros: number };
  /** Restricts the statement to the tenant's events; null: all events. */
  readonly tenant: TenantFilter | null;
}

/** A requested column that has, for each part, the shortest text with all of these fields. */
export interface NestedReads {
  readonly column: string;
  /** Column with the whole text. */
  readonly text: string;
  readonly paths: readonly (readonly string[])[];
}

export interface TenantFilter {
  /** Tenant as a bound value. */
  readonly value: BoundExpr;
  /** A physical column, or a path in a column of JSON text, that contains the tenant; null: no event has one. */
  readonly place: { readonly column: string } | { readonly text: string; readonly path: readonly string[] } | null;
}

export interface UnnestPlan {
  readonly list: Expr;
  readonly element: string;
  readonly offset: string | null;
  /** LEFT: keeps a row without elements, with NULL. */
  readonly keepEmpty: boolean;
}
