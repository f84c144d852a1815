/** Names in scope of a query block: range variables of its FROM, then those of outer blocks. */
import type { Identifier, SourcePosition } from '../../ast';
import type { Value } from '../../functions/function';
import type { LogicalColumn, QueryPlan } from '../../ir/plan';
import { failure } from '../failure';
import { didYouMean } from '#contract/nearest-name';
import { readableColumns, type Readable } from './nested-fields';

/**
 * A name of FROM. A `table` has columns; a `record` is an opened record or list element, whose fields are columns and
 * which is a value itself.
 */
export interface RangeVariable {
  readonly name: string;
  readonly kind: 'table' | 'record';
  readonly position: SourcePosition;
  readonly columns: readonly LogicalColumn[];
  /** Whether its columns are read with its name only, not by their own names nor by `*`. */
  readonly isQualifiedOnly?: boolean;
  /** True for a record whose events may have further fields, which queries cannot name. */
  readonly isFull?: true;
  column(index: number, mention: { readonly display: string; readonly position: SourcePosition }): Value;
  /** The name used as a value: the record, or a STRUCT of all columns. */
  whole(position: SourcePosition): Value;
}

/** A value that an inner block has read. */
export interface InnerRead {
  readonly value: Value;
  /** The subquery of this block's expression in which it was read; null in FROM. */
  subquery: QueryPlan | null;
}

/** A column of USING: one unqualified column instead of those that it joins. */
export interface MergedColumn {
  readonly name: string;
  /** Range variables whose columns it joins. */
  readonly owners: readonly RangeVariable[];
  /** First range variable of the join, before whose columns `SELECT *` lists it. */
  readonly first: RangeVariable;
  value(position: SourcePosition): Value;
}

export class Scope {
  readonly variables: RangeVariable[] = [];
  readonly merged: MergedColumn[] = [];
  /** Values that inner blocks have read from this one, for the grouping check. */
  readonly readFromInside: InnerRead[] = [];
  /** Select aliases, which subqueries of HAVING, QUALIFY and ORDER BY read before the names of FROM. */
  aliases: { readInside(name: Identifier): Value | undefined } | null = null;

  constructor(readonly parent: Scope | null) {}

  /** Attributes the reads of inner blocks since a position in `readFromInside` to a subquery of this block. */
  attribute(from: number, subquery: QueryPlan): void {
    for (const read of this.readFromInside.slice(from)) read.subquery = subquery;
  }

  /** @throws duplicate_alias when the name is in use */
  add(variable: RangeVariable): void {
    if (
      variable.name !== '' &&
      this.variables.some((other) => sameName(other.name, variable.name) && !this.joins(other))
    ) {
      throw failure('duplicate_alias', `the name "${variable.name}" is used twice in FROM`, variable.position);
    }
    this.variables.push(variable);
  }

  variable(name: string): RangeVariable | undefined {
    return this.variables.find((variable) => sameName(variable.name, name) && !this.joins(variable));
  }

  /** Whether this or an outer block has a range variable of this name. */
  sees(name: string): boolean {
    return this.variable(name) !== undefined || this.parent?.sees(name) === true;
  }

  /** Whether USING joins a variable that is a value, such as the offset of an opened list. */
  private joins(variable: RangeVariable): boolean {
    return variable.columns.length === 0 && this.merged.some(({ owners }) => owners.includes(variable));
  }

  /**
   * Finds an unqualified column. A table's column takes precedence over a field of an opened record with the same name;
   * other duplicates are ambiguous.
   * @returns undefined when this block has no such name
   */
  column(identifier: Identifier): Value | undefined {
    const merged = this.merged.filter(({ name }) => sameName(name, identifier.name));
    const found = this.variables
      .filter(({ isQualifiedOnly }) => isQualifiedOnly !== true)
      .filter((variable) => !merged.some(({ owners }) => owners.includes(variable)))
      .map((variable) => ({ variable, index: uniqueColumnIndex(variable.columns, identifier, variable.name) }))
      .filter(({ variable, index }) => index >= 0 && variable.columns[index]?.isHidden !== true);
    const tables = found.filter(({ variable }) => variable.kind === 'table');
    if (merged.length === 1 && tables.length === 0) return merged[0]?.value(identifier.position);
    const chosen = found.length === 1 ? found[0] : tables.length === 1 ? tables[0] : undefined;
    if (chosen && merged.length === 0) {
      return chosen.variable.column(chosen.index, { display: identifier.name, position: identifier.position });
    }
    if (found.length + merged.length === 0) return undefined;
    const variables = [...merged.map(({ first }) => first), ...found.map(({ variable }) => variable)];
    const names = variables.map((variable) => variable.name || 'an unnamed table');
    const list = names.length === 2 ? names.join(' and ') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
    throw failure(
      'ambiguous_column',
      `column "${identifier.name}" is ambiguous: it exists in ${list}`,
      identifier.position,
      { hint: `write ${names[0]}.${identifier.name}` }
    );
  }

  /** All columns that can be read here, for hints. */
  readableColumns(): readonly Readable[] {
    const own = this.variables.flatMap(({ name, kind, columns, isQualifiedOnly }) => {
      const needsName = kind === 'record' || isQualifiedOnly === true || this.variables.length > 1;
      return readableColumns(needsName ? name : '', columns);
    });
    return [...own, ...(this.parent?.readableColumns() ?? [])];
  }

  /** Names of columns and opened records, for hints that list them. */
  *listedNames(): Iterable<string> {
    for (const { name, kind, columns } of this.variables) {
      if (name !== '' && kind === 'record') yield name;
      for (const column of columns) if (column.isHidden !== true) yield column.name;
    }
    if (this.parent) yield* this.parent.listedNames();
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

/**
 * Index of the only column with this name, exact case first; -1 without one.
 * @throws ambiguous_column for a derived table with two columns of this name
 */
export function uniqueColumnIndex(
  columns: readonly LogicalColumn[],
  { name, position }: Identifier,
  owner: string
): number {
  const index = columnIndex(columns, name);
  if (index < 0) return index;
  const isExact = columns[index]?.name === name;
  const second = columns.findIndex(
    ({ name: other }, at) => at > index && (isExact ? other === name : sameName(other, name))
  );
  if (second < 0) return index;
  const where = owner === '' ? 'an unnamed table' : owner;
  throw failure(
    'ambiguous_column',
    `column "${name}" is ambiguous: columns ${index + 1} and ${second + 1} of ${where} have this name`,
    position,
    {
      hint: 'give one of them another name with AS',
    }
  );
}

/** Names in `details.columns`. */
const MAX_LISTED = 30;

/**
 * `unknown column "pth" in rq — did you mean "path"?`
 *
 * @param hint where the name exists, instead of a suggestion
 * @param listed names for `details.columns`
 */
export function unknownColumn(
  name: Identifier,
  owner: string | null,
  candidates: Iterable<string>,
  hint?: string,
  listed = candidates
): Error {
  const place = owner === null ? '' : ` in ${owner}`;
  const meant = hint === undefined ? didYouMean(name.name, [...candidates]) : '';
  // Columns without a name cannot be written.
  const columns = hint === undefined && meant === '' ? [...new Set(listed)].filter((each) => each !== '') : [];
  return failure('unknown_column', `unknown column "${name.name}"${place}${meant}`, name.position, {
    name: name.name,
    ...(hint !== undefined && { hint }),
    ...(columns.length > 0 && { columns: columns.slice(0, MAX_LISTED) }),
  });
}
