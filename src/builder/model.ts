/**
 * Model of the query builder: one query over one table, independent of its language. Plain data that is printed as text
 * and read from it.
 */

/** A column and fields below it: `['metadata', 'request', 'path']`. */
export type FieldPath = readonly string[];

/**
 * A value of a filter. Variables (`$name`, `${name:raw}`) are printed without quotes, because their values bring their
 * own.
 */
export interface FilterValue {
  readonly kind: 'text' | 'number' | 'bool' | 'variable';
  readonly text: string;
}

export const FILTER_OPERATORS = [
  '=',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
  'contains',
  'not contains',
  'matches',
  'not matches',
  'in',
  'not in',
  'includes',
  'not includes',
  'null',
  'not null',
] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** A filter: `in` and `not in` take one or more values, `null` and `not null` none, all others one. */
export interface BuilderFilter {
  readonly path: FieldPath;
  readonly operator: FilterOperator;
  readonly values: readonly FilterValue[];
}

/** Alias of the result column if it is not the default name. For SQL, and for columns in LQL. */
interface Named {
  readonly alias?: string;
}

export interface BuilderColumn extends Named {
  readonly path: FieldPath;
}

export const AGGREGATES = ['count', 'countd', 'sum', 'avg', 'min', 'max', 'p50', 'p90', 'p95', 'p99'] as const;
export type AggregateName = (typeof AGGREGATES)[number];

/** An aggregate; only `count`, which counts rows, has no path. */
export interface BuilderAggregate extends Named {
  readonly name: AggregateName;
  readonly path: FieldPath | null;
}

export interface BuilderBucket extends Named {
  /** A time column of the table. */
  readonly column: string;
  /** Bucket width: `30s`, `5m`, `1h`, `1d`; null: the interval of the panel. */
  readonly period: string | null;
}

export interface BuilderOrder {
  /** For rows: a column. For groups: the name of a result column, as a path of one name. */
  readonly by: FieldPath;
  readonly descending: boolean;
}

export interface BuilderModel {
  readonly table: string;
  /** Column that the panel's time range restricts; null: no time filter. */
  readonly timeFilter: string | null;
  /** Filters, all of which must be true. */
  readonly filters: readonly BuilderFilter[];
  /** Columns of rows; empty: all columns. Always empty for groups. */
  readonly columns: readonly BuilderColumn[];
  readonly bucket: BuilderBucket | null;
  readonly groups: readonly BuilderColumn[];
  readonly aggregates: readonly BuilderAggregate[];
  /** SQL: whether to keep rows without an opened record. */
  readonly keepsMissing: boolean;
  /** SQL only. */
  readonly order: readonly BuilderOrder[];
  /** SQL only; null: no limit. */
  readonly limit: number | null;
}

/** Result for a text that the builder cannot show; `why` is a sentence for the editor. */
export interface Unreadable {
  readonly why: string;
}

export type ReadResult = { readonly model: BuilderModel } | Unreadable;

export class CannotRead extends Error {}

/** In the form an empty value is one that is not written yet, and its filter has no effect. */
export function comparesWithNothing(): CannotRead {
  return new CannotRead('It compares with an empty text, which the form takes for a value that is missing.');
}

/** Whether rows are grouped. The result columns are then groups and aggregates. */
export function isGrouped({ bucket, groups, aggregates }: BuilderModel): boolean {
  return bucket !== null || groups.length > 0 || aggregates.length > 0;
}

export function emptyModel(table: string): BuilderModel {
  return {
    table,
    timeFilter: null,
    filters: [],
    columns: [],
    bucket: null,
    groups: [],
    aggregates: [],
    keepsMissing: false,
    order: [],
    limit: null,
  };
}

export const VARIABLE = /^(?:\$(?!__)\w+|\$\{(?!__)\w+(?::\w+)?\})$/;
export const NUMBER = /^-?\d+(?:\.\d+)?$/;
export const PERIOD = /^[1-9]\d{0,4}[smhd]$/;

export function samePath(a: FieldPath, b: FieldPath): boolean {
  return a.length === b.length && a.every((name, at) => name === b[at]);
}
