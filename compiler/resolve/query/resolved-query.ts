/**
 * Resolved query for its readers: logical columns, and physical outputs created on demand. A SELECT creates them from
 * its select list; a set operation requests them from each branch.
 */
import type { SourcePosition } from '../../ast';
import type { Value } from '../../functions/function';
import type { LogicalColumn, SortItem } from '../../ir/plan';
import type { Type } from '../../ir/types';
import type { QueryDraft } from '../drafts';
import type { Want } from '../relations/relation';

export interface NamedOutput {
  readonly name: string;
  readonly type: Type;
  /** Size of the expression behind it, see `sizeOf`. */
  readonly size: number;
}

/** An output column of a SELECT before it is requested. */
export interface SelectColumn {
  readonly name: string;
  /** Known before the value is read; by default the value's. */
  readonly type?: Type;
  value: Value;
}

export interface ResolvedQuery {
  readonly plan: QueryDraft;
  readonly columns: readonly LogicalColumn[];
  /** Whether each row is the value of its only column, which has no name of its own: SELECT AS VALUE. */
  readonly isValue: boolean;
  /** Position of each column, for errors. */
  readonly positions: readonly SourcePosition[];
  /** The physical output of a column, or of a nested field; created on first request. */
  output(column: number, path: readonly string[], want: Want): NamedOutput;
  alwaysPresent(column: number, path: readonly string[]): boolean;
  narrow(name: string, fromMicros: number, toMicros: number): void;
  /** Converts a column. Only allowed before outputs are created. */
  convert(column: number, type: Type, what: string): void;
  /** Values of a query that is one constant row; null for other queries. */
  constants(): readonly Value[] | null;
  /** A text literal, or a struct that may have some, which converts implicitly; null for other columns. */
  literal(column: number): Value | null;
  /** The physical output by which an order key sorts; undefined if it cannot be returned. */
  nameOf(item: SortItem): string | undefined;
}
