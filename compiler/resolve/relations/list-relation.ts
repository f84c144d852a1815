/** A list in FROM. */
import type { SourceRedaction } from '../../catalog/source-redaction';
import { callOf } from '../../ir/operations/call';
import type { ColumnExpr, Expr } from '../../ir/expression';
import type { LogicalColumn } from '../../ir/plan';
import { BOOL, STRING, type Type } from '../../ir/types';
import type { RelationDraft } from '../drafts';
import { secretField } from './redact-border';
import { type Mention, type Relation, typeAt, type Want } from './relation';

interface ListItem {
  /** Name of the column with the elements. */
  readonly name: string;
  readonly list: Expr;
  /** Type of the elements. */
  readonly element: Type;
  /** Name of the column with their positions; null: without them. */
  readonly withOffset: string | null;
  /** Whether the list reads items to its left. */
  readonly lateral: boolean;
}

/** `UNNEST(list)` as a separate FROM item. */
export class ListRelation implements Relation {
  readonly columns: readonly LogicalColumn[];
  readonly plan: RelationDraft;

  constructor(
    readonly id: number,
    { name, list, element, withOffset, lateral }: ListItem,
    private readonly redaction: SourceRedaction | null
  ) {
    this.columns = [
      { name, type: element },
      ...(withOffset === null ? [] : [{ name: withOffset, type: { kind: 'INT64' } as const }]),
    ];
    this.plan = {
      kind: 'relation',
      id,
      input: { kind: 'list', list, element: 'x', offset: withOffset === null ? null : 'o', lateral },
      unnests: [],
    };
  }

  demand(column: number, path: readonly string[], want: Want, mention: Mention): Expr {
    const type = this.columns[column]?.type ?? STRING;
    const base: ColumnExpr = { kind: 'column', relation: this.id, name: column === 0 ? 'x' : 'o', type, ...mention };
    const value: Expr =
      path.length === 0 ? base : { kind: 'json-field', base, path, type: typeAt(type, path) ?? STRING };
    return want === 'value' ? secretField(value, path, this.redaction) : callOf('is_not_null', [value], BOOL);
  }

  alwaysPresent(): boolean {
    return false;
  }

  narrow(): void {
    // A list has no parts to skip.
  }
}
