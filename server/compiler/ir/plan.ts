/**
 * The typed intermediate form of queries. Relations hand out physical columns on demand: a plan prints only what somebody asked for.
 */
import type { CatalogPart } from '../catalog';
import type { BoundExpr, Expr, SortExpr } from './expression';
import type { Type } from './types';

/** A physical output column of a plan; `name` is ours (`c1`), never the caller's. */
export interface PhysicalOutput {
  readonly name: string;
  readonly expr: Expr;
}

/** A column as the query's reader sees it. */
export interface LogicalColumn {
  readonly name: string;
  readonly type: Type;
  /** True for a field that is read when a caller names it, and never shown. */
  readonly isHidden?: boolean;
}

export interface CommonTablePlan {
  /** Our own name (`w3_edge_logs`). */
  readonly name: string;
  readonly plan: QueryPlan;
  /** How many FROM items name it, read or not. */
  readers: number;
}

/** An order key: a physical output of the same block by name, or an expression. */
export type SortItem = SortExpr & { readonly output: string | null };

export interface QueryPlan {
  readonly kind: 'query';
  readonly body: SelectPlan | SetPlan;
  /** Belongs to the body as a whole. */
  orderBy: readonly SortItem[];
  readonly limit: Expr | null;
  readonly offset: Expr | null;
  /** The output that a subquery used as a value, a list or an IN choice stands for. */
  value: string | null;
  /** Its rows are seen in order although it has no limit: ARRAY(SELECT ..). */
  ordered: boolean;
}

export interface SelectPlan {
  readonly kind: 'select';
  readonly distinct: boolean;
  /** Grows while others demand columns. */
  readonly outputs: PhysicalOutput[];
  readonly from: FromPlan | null;
  readonly where: Expr[];
  /** Null: not grouped. Empty: one group of all rows. */
  readonly groupBy: readonly Expr[] | null;
  readonly having: Expr | null;
  readonly qualify: Expr | null;
}

export interface SetPlan {
  readonly kind: 'set';
  readonly operator: 'UNION ALL' | 'UNION DISTINCT' | 'INTERSECT DISTINCT' | 'EXCEPT DISTINCT';
  readonly branches: readonly QueryPlan[];
  /** The set's own names, and for each branch the physical output that stands in that place. */
  readonly outputs: { readonly name: string; readonly branchOutputs: readonly string[]; readonly type: Type }[];
}

export type FromPlan = RelationPlan | JoinPlan;

export interface JoinPlan {
  readonly kind: 'join';
  readonly join: 'CROSS' | 'INNER' | 'LEFT' | 'RIGHT' | 'FULL';
  readonly left: FromPlan;
  readonly right: FromPlan;
  readonly on: Expr[];
}

/** A FROM item with an alias of its own (`t3`). */
export interface RelationPlan {
  readonly kind: 'relation';
  readonly id: number;
  readonly input: RelationInput;
  /** Lists opened per row, inside the item. */
  readonly unnests: UnnestPlan[];
}

export type RelationInput =
  | ScanInput
  | { readonly kind: 'common-table'; readonly table: CommonTablePlan }
  | { readonly kind: 'derived'; readonly plan: QueryPlan }
  /** `UNNEST(list)` as a FROM item of its own; `lateral` when the list reads columns of its left neighbours. */
  | {
      readonly kind: 'list';
      readonly list: Expr;
      readonly element: string;
      readonly offset: string | null;
      readonly lateral: boolean;
    }
  /** One row without columns. */
  | { readonly kind: 'single-row' };

/** A source: the union of its parts, with only the columns that were asked for. */
export interface ScanInput {
  readonly kind: 'scan';
  readonly source: string;
  readonly parts: readonly CatalogPart[];
  /** Physical columns asked for, with the logical type to read them as. */
  readonly columns: Map<string, Type>;
  /** Bounds of `timestamp` known at compile time, microseconds, inclusive; parts outside are left out. */
  bounds: { fromMicros: number; toMicros: number };
  /** Only events that it lets through exist for the statement; null: all do. */
  readonly tenant: TenantFilter | null;
}

export interface TenantFilter {
  /** The tenant, always bound. */
  readonly value: BoundExpr;
  /** A physical column, or a path in a column of JSON text, whose text is the tenant; null: no event has one. */
  readonly place: { readonly column: string } | { readonly text: string; readonly path: readonly string[] } | null;
}

export interface UnnestPlan {
  readonly list: Expr;
  readonly element: string;
  readonly offset: string | null;
  /** LEFT: a row without elements stays, with NULL. */
  readonly keepEmpty: boolean;
}
