/**
 * Relations: FROM items as expressions see them. A relation knows its logical columns and returns store expressions for
 * them, or for nested fields, on demand. Columns that are never requested are not read.
 */
import type { SourcePosition } from '../../ast';
import type { Expr } from '../../ir/expression';
import type { LogicalColumn } from '../../ir/plan';
import type { Type } from '../../ir/types';
import type { RelationDraft } from '../drafts';

/** The caller's name for a requested value, with its position. */
export interface Mention {
  readonly display: string;
  readonly position: SourcePosition;
}

/** `value`: the field's value, whole records as JSON text. `presence`: whether the record exists. */
export type Want = 'value' | 'presence';

export interface Relation {
  readonly id: number;
  readonly plan: RelationDraft;
  readonly columns: readonly LogicalColumn[];
  demand(column: number, path: readonly string[], want: Want, mention: Mention): Expr;
  /** Whether the record at this path exists in every row. */
  alwaysPresent(column: number, path: readonly string[]): boolean;
  /** Restricts the scan to rows with the physical time column in the bounds, if that allows the store to skip parts. */
  narrow(name: string, fromMicros: number, toMicros: number): void;
}

/** Type at the end of a path, or undefined. Only records have fields here. */
export function typeAt(type: Type, path: readonly string[]): Type | undefined {
  let current: Type | undefined = type;
  for (const part of path) {
    if (current?.kind !== 'RECORD' && current?.kind !== 'SINGLE') return undefined;
    current = current.shape.fields.get(part);
  }
  return current;
}
