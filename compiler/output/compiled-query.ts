/** Output of the compiler: store SQL printed from our own tree, with bound values and output columns. */
import type { QueryWarning } from '#contract/queries/query';
import type { CatalogPart } from '../catalog/catalog';
import type { FailurePlace } from './failure-places';
import type { BoundValue } from '../ir/bound-value';
import type { SearchedScan } from './query-search';

export type { BoundValue } from '../ir/bound-value';

/**
 * Logical type of an output value, by which encoders work; store types are not used. `RECORD_TEXT` is JSON text in
 * object form: with `single` it is encoded as an array of length 0 or 1, otherwise as an object or null; nested objects
 * in the text are encoded as arrays of one.
 */
export type OutputType =
  | { readonly kind: 'STRING' | 'INT64' | 'FLOAT64' | 'BOOL' | 'TIMESTAMP' | 'DATETIME' | 'DATE' }
  /** Texts of the results, such as `08:30:00` and `0-0 0 1:30:0`; in the store they are numbers. */
  | { readonly kind: 'TIME' | 'INTERVAL' }
  /** Base64 text. */
  | { readonly kind: 'BYTES' }
  /** JSON text. */
  | { readonly kind: 'JSON' }
  | { readonly kind: 'RECORD_TEXT'; readonly single: boolean }
  | { readonly kind: 'ARRAY'; readonly element: OutputType }
  | { readonly kind: 'STRUCT'; readonly fields: readonly OutputColumn[] };

export interface OutputColumn {
  readonly name: string;
  /** The name in the query, where a result column has another one because two had the same. */
  readonly writtenName?: string;
  readonly type: OutputType;
  /** Name of the logical type in the dialect, e.g. `ARRAY<STRUCT<level STRING>>`. */
  readonly typeName: string;
}

/**
 * Names of struct fields in the store, in order. They are unique ignoring case and avoid properties of JavaScript
 * objects, which drivers return.
 */
export function storedFieldNames(names: readonly string[]): readonly string[] {
  const used = new Set<string>(['__proto__']);
  return names.map((name, index) => {
    const wanted = name === '' ? `_field_${index + 1}` : name;
    let candidate = wanted;
    for (let n = 1; used.has(candidate.toLowerCase()); n += 1) candidate = `${wanted}_${n}`;
    used.add(candidate.toLowerCase());
    return candidate;
  });
}

/** Store SQL printed from our own tree, and the values bound to `$1`, `$2`, ... */
export interface CompiledStatement {
  readonly sql: string;
  readonly values: readonly BoundValue[];
  /** Parts of sources that it reads, each as often as it reads it. */
  readonly reads: readonly PartRead[];
  /** Set if it computes random values, which an optimizer must not move to other rows. */
  readonly isVolatile?: true;
}

/** The events of a part from a time to another, which is exclusive, in microseconds since 1970. */
export interface PartRead {
  readonly part: CatalogPart;
  readonly fromMicros: number;
  readonly toMicros: number;
}

/**
 * A query as groups of parts of the events, and a query over all of these groups. The groups of the same rows are the
 * same each time, so a store may keep them.
 */
export interface SplitQuery {
  /** Parts that the query reads, newest first. */
  readonly units: readonly SplitUnit[];
  /** Columns of groups, as the store quotes them. */
  readonly groupColumns: readonly GroupColumn[];
  /** Creates a table with the groups of a unit that is read as a whole, at most `maxGroups + 1`. */
  createGroups(unit: SplitUnit, table: string, maxGroups: number): CompiledStatement;
  /** The query over kept groups and the groups of other units. @param kept names of tables as the store quotes them */
  merge(kept: readonly string[], others: readonly SplitUnit[]): CompiledStatement;
}

export interface GroupColumn {
  readonly name: string;
  /** Whether its values may be of any length. */
  readonly isText: boolean;
}

/** The parts of one day, or of hours of a day. */
export interface SplitUnit {
  /** Tables of the store. */
  readonly tables: readonly string[];
  /** Whether the query reads all events of the unit; else only those within its limits of time. */
  readonly isWhole: boolean;
  /** A day that is cut, as hours that are whole and the rest, which together have its events; empty for other units. */
  readonly pieces: readonly SplitUnit[];
  /** The same for the same groups of the same rows, and only for these. */
  readonly key: string;
}

declare const compiled: unique symbol;

/** Created by `compile()` only; the brand keeps any other text from reaching a store. */
export interface CompiledQuery extends CompiledStatement {
  readonly [compiled]: true;
  /**
   * A query for the newest rows reads the newest events of a source first. These statements read the older ones, newest
   * first: the store runs them in order, in one snapshot, until it has `rowLimit` rows, and appends their rows. Usually
   * empty.
   */
  readonly older: Iterable<CompiledStatement>;
  /**
   * Row limit for all statements together: the query's own limit, at most `maxRows + 1`, so that truncation is
   * detected.
   */
  readonly rowLimit: number;
  readonly columns: readonly OutputColumn[];
  /** The query split into groups of parts; null when it cannot be, or when no part is read as a whole. */
  readonly split: () => SplitQuery | null;
  /** What the query searches texts for; null: for nothing that is known. */
  readonly search: () => QuerySearch | null;
  /** Places of the caller's text that may fail while the query runs. */
  readonly places: readonly FailurePlace[];
  readonly maxRows: number;
  /** Warnings of an LQL text. */
  readonly warnings: readonly QueryWarning[];
}

/** What a query searches texts for. */
export interface QuerySearch {
  /** Scans whose rows must hold texts. */
  readonly scans: readonly SearchedScan[];
  /**
   * The same query over fewer rows. @param parts to be read, for each of the scans; a part with `rows` is read in part
   */
  narrowed(parts: readonly (readonly CatalogPart[])[]): CompiledQuery;
}
