/** What the query builder edits: one query over one table, without its language. Plain data, as text is printed from and read into. */

/** A column and fields below it: `['metadata', 'request', 'path']`. */
export type FieldPath = readonly string[];

/** A variable (`$name`, `${name:raw}`) is printed without quotes, since it brings its own. */
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

/** `in` and `not in` take one value or more, `null` and `not null` none, all others one. */
export interface BuilderFilter {
  readonly path: FieldPath;
  readonly operator: FilterOperator;
  readonly values: readonly FilterValue[];
}

/** The name of the result column, where it is not the default one. SQL and, for columns, LQL. */
interface Named {
  readonly alias?: string;
}

export interface BuilderColumn extends Named {
  readonly path: FieldPath;
}

export const AGGREGATES = ['count', 'countd', 'sum', 'avg', 'min', 'max', 'p50', 'p90', 'p95', 'p99'] as const;
export type AggregateName = (typeof AGGREGATES)[number];

/** Only `count` takes no path: it then counts rows. */
export interface BuilderAggregate extends Named {
  readonly name: AggregateName;
  readonly path: FieldPath | null;
}

export interface BuilderBucket extends Named {
  /** A column of the table. */
  readonly column: string;
  /** `30s`, `5m`, `1h`, `1d`; null: the interval of the panel. */
  readonly period: string | null;
}

export interface BuilderOrder {
  /** Of rows: a column. Of groups: the name of a result column, as a path of one name. */
  readonly by: FieldPath;
  readonly descending: boolean;
}

export interface BuilderModel {
  readonly table: string;
  /** The column that the panel's time range bounds; null: no time filter. */
  readonly timeFilter: string | null;
  /** All of them hold. */
  readonly filters: readonly BuilderFilter[];
  /** Of rows: which columns come back; none: all of them. Empty where something is grouped. */
  readonly columns: readonly BuilderColumn[];
  readonly bucket: BuilderBucket | null;
  readonly groups: readonly BuilderColumn[];
  readonly aggregates: readonly BuilderAggregate[];
  /** SQL: whether rows that lack an opened record are kept. */
  readonly keepsMissing: boolean;
  /** SQL. */
  readonly order: readonly BuilderOrder[];
  /** SQL; null: none. */
  readonly limit: number | null;
}

/** A text that is not one of the builder's; `why` is a sentence for the editor. */
export interface Unreadable {
  readonly why: string;
}

export type ReadResult = { readonly model: BuilderModel } | Unreadable;

export class CannotRead extends Error {}

/** Whether rows are grouped, so that columns are groups and aggregates. */
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
