/** Names in scope of a query block: range variables of its FROM, then those of outer blocks. */
import type { Identifier, SourcePosition } from '../../ast';
import type { Value } from '../../functions/function';
import type { LogicalColumn } from '../../ir/plan';
import { failure } from '../failure';
import { didYouMean } from '#contract/nearest-name';

/**
 * A name of FROM. A `table` has columns; a `record` is an opened record or list element, whose fields are columns and
 * which is a value itself.
 */
export interface RangeVariable {
  readonly name: string;
  readonly kind: 'table' | 'record';
  readonly position: SourcePosition;
  readonly columns: readonly LogicalColumn[];
  column(index: number, mention: { readonly display: string; readonly position: SourcePosition }): Value;
  /** The name used as a value: the record, or a STRUCT of all columns. */
  whole(position: SourcePosition): Value;
}

export class Scope {
  readonly variables: RangeVariable[] = [];
  /** Columns joined by USING, by their unqualified names. */
  readonly merged = new Map<string, (position: SourcePosition) => Value>();
  /** Values that inner blocks have read from this one, for the grouping check. */
  readonly readFromInside: Value[] = [];

  constructor(readonly parent: Scope | null) {}

  /** @throws duplicate_alias when the name is in use */
  add(variable: RangeVariable): void {
    if (variable.name !== '' && this.variables.some((other) => sameName(other.name, variable.name))) {
      throw failure('duplicate_alias', `the name "${variable.name}" is used twice in FROM`, variable.position);
    }
    this.variables.push(variable);
  }

  variable(name: string): RangeVariable | undefined {
    return this.variables.find((variable) => sameName(variable.name, name));
  }

  /**
   * Finds an unqualified column. A table's column takes precedence over a field of an opened record with the same name;
   * other duplicates are ambiguous.
   * @returns undefined when this block has no such name
   */
  column(identifier: Identifier): Value | undefined {
    const merged = this.merged.get(identifier.name.toLowerCase());
    if (merged) return merged(identifier.position);
    const found = this.variables
      .map((variable) => ({ variable, index: columnIndex(variable.columns, identifier.name) }))
      .filter(({ variable, index }) => index >= 0 && variable.columns[index]?.isHidden !== true);
    const tables = found.filter(({ variable }) => variable.kind === 'table');
    const chosen = found.length === 1 ? found[0] : tables.length === 1 ? tables[0] : undefined;
    if (chosen) {
      return chosen.variable.column(chosen.index, { display: identifier.name, position: identifier.position });
    }
    if (found.length === 0) return undefined;
    const names = found.map(({ variable }) => variable.name || 'an unnamed table');
    const list = names.length === 2 ? names.join(' and ') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
    throw failure(
      'ambiguous_column',
      `column "${identifier.name}" is ambiguous: it exists in ${list}`,
      identifier.position,
      { hint: `write ${names[0]}.${identifier.name}` }
    );
  }

  /** All visible names, as candidates for suggestions. */
  *visibleNames(): Iterable<string> {
    for (const variable of this.variables) {
      if (variable.name !== '') yield variable.name;
      for (const column of variable.columns) if (column.isHidden !== true) yield column.name;
    }
    if (this.parent) yield* this.parent.visibleNames();
  }
}

export function sameName(a: string, b: string): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase();
}

/** Index of the column with this name, exact case first, then ignoring case; -1 if there is none. */
export function columnIndex(columns: readonly LogicalColumn[], name: string): number {
  const exact = columns.findIndex((column) => column.name === name);
  if (exact >= 0) return exact;
  const lower = name.toLowerCase();
  return columns.findIndex((column) => column.name.toLowerCase() === lower);
}

/** `unknown column "pth" in rq — did you mean "path"?` */
export function unknownColumn(name: Identifier, owner: string | null, candidates: Iterable<string>): Error {
  const place = owner === null ? '' : ` in ${owner}`;
  const all = [...candidates];
  return failure(
    'unknown_column',
    `unknown column "${name.name}"${place}${didYouMean(name.name, all)}`,
    name.position,
    { name: name.name }
  );
}
