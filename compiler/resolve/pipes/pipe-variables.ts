/** Columns and names of a pipe's table while its operators change them. */
import type { Identifier, SourcePosition } from '../../ast';
import type { Value } from '../../functions/function';
import { children } from '../../ir/walk/children';
import type { Expr } from '../../ir/expression';
import type { Type } from '../../ir/types';
import { failure } from '../failure';
import { sameName, unknownColumn, type RangeVariable } from '../names/scope';
import { NOTHING_MERGED, type Piece } from '../query/from/from-piece';
import type { SelectColumn } from '../query/resolved-query';
import { constantRow } from '../relations/range-variables';
import type { Mention } from '../relations/relation';
import { itemAt } from '../../items';

/** A column of the table, in its order; its value is created when it is read. */
export interface PipeColumn {
  readonly name: string;
  readonly type: Type;
  read(mention: Mention): Value;
}

type Names = Pick<Piece, 'variables' | 'merged'>;

/** Columns as the table lists them: an opened record is one column, of the record. */
export function listedColumns({ variables, merged }: Names, position: SourcePosition): readonly PipeColumn[] {
  const listed = variables.filter(({ isQualifiedOnly }) => isQualifiedOnly !== true);
  return listed.flatMap((variable) => {
    const joined = merged
      .filter(({ first }) => first === variable)
      .map((column): PipeColumn => {
        const { type } = column.value(position);
        return { name: column.name, type, read: (mention) => column.value(mention.position) };
      });
    const own = variable.kind === 'record' ? [wholeColumn(variable)] : tableColumns(variable);
    const isJoined = ({ name }: PipeColumn): boolean =>
      merged.some((column) => sameName(column.name, name) && column.owners.includes(variable));
    return [...joined, ...own.filter((column) => !isJoined(column))];
  });
}

function wholeColumn(variable: RangeVariable): PipeColumn {
  const read = (mention: Mention): Value => variable.whole(mention.position);
  return { name: variable.name, type: variable.whole(variable.position).type, read };
}

function tableColumns(variable: RangeVariable): readonly PipeColumn[] {
  return variable.columns.flatMap(({ name, type, isHidden }, index) =>
    isHidden ? [] : [{ name, type, read: (mention: Mention) => variable.column(index, mention) }]
  );
}

/** Nameless tables of columns: one, or one for each column if two columns have one name, which is then ambiguous. */
function columnVariables(columns: readonly PipeColumn[], position: SourcePosition): readonly RangeVariable[] {
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  const parts = names.size === columns.length ? [columns] : columns.map((column) => [column]);
  return parts.map((part) => columnsVariable(part, position));
}

/** A table of columns, nameless unless a name is given. */
export function columnsVariable(columns: readonly PipeColumn[], position: SourcePosition, name = ''): RangeVariable {
  const variable: RangeVariable = {
    name,
    kind: 'table',
    position,
    columns: columns.map((column) => ({ name: column.name, type: column.type })),
    column: (index, mention) => {
      const value = itemAt(columns, index).read(mention);
      return { ...value, position: mention.position };
    },
    whole: (at) => {
      const values = columns.map((column) => column.read({ display: column.name, position: at }));
      return constantRow(name, at, variable.columns, values).whole(at);
    },
  };
  return variable;
}

export function computedVariables(
  columns: readonly SelectColumn[],
  position: SourcePosition
): readonly RangeVariable[] {
  const read = columns.map(({ name, value }): PipeColumn => ({ name, type: value.type, read: () => value }));
  return columnVariables(read, position);
}

/**
 * The names with each table's columns apart from its name, so that columns can be changed while `t.x` still reads the
 * original ones.
 */
export function editable(names: Names, position: SourcePosition): Names {
  const { variables, merged } = names;
  const isNamedTable = (variable: RangeVariable): boolean =>
    variable.name !== '' && variable.kind === 'table' && variable.isQualifiedOnly !== true;
  if (merged.length > 0) {
    const records = variables.filter(({ kind }) => kind === 'record');
    const tables = variables.filter(({ kind }) => kind === 'table');
    const listed = columnsVariable(listedColumns({ variables: tables, merged }, position), position);
    const named = tables.filter(({ name }) => name !== '').map((variable) => ({ ...variable, isQualifiedOnly: true }));
    return { variables: [listed, ...records, ...named], merged: NOTHING_MERGED };
  }
  if (!variables.some(isNamedTable)) return names;
  const apart = variables.flatMap((variable) =>
    isNamedTable(variable)
      ? [
          { ...variable, name: '' },
          { ...variable, isQualifiedOnly: true },
        ]
      : [variable]
  );
  return { variables: apart, merged: NOTHING_MERGED };
}

/** Edits of columns by name: null drops a column. */
export type ColumnEdit = (column: PipeColumn) => PipeColumn | null;

/**
 * Edits columns of the table.
 *
 * @throws unknown_column, ambiguous_column, duplicate_column
 */
export function edited(
  names: Names,
  { operator, columns, takesSeveral = false }: EditRequest,
  position: SourcePosition
): Names {
  const listed = listedColumns(names, position);
  const edits = new Map<string, ColumnEdit>();
  for (const { name, edit } of columns) {
    const key = name.name.toLowerCase();
    if (edits.has(key)) {
      throw failure('duplicate_column', `|> ${operator} names the column "${name.name}" twice`, name.position, {
        name: name.name,
      });
    }
    edits.set(key, edit);
    ensureColumn(names, listed, name, operator, takesSeveral);
  }
  const { variables, merged } = editable(names, position);
  const after = variables.flatMap((variable) => editedVariable(variable, edits, position));
  return { variables: after, merged };
}

export interface EditRequest {
  readonly operator: 'SET' | 'DROP' | 'RENAME';
  readonly columns: readonly { readonly name: Identifier; readonly edit: ColumnEdit }[];
  /** Whether a name may have several columns. */
  readonly takesSeveral?: boolean;
}

function ensureColumn(
  { variables }: Names,
  listed: readonly PipeColumn[],
  name: Identifier,
  operator: EditRequest['operator'],
  takesSeveral: boolean
): void {
  const found = listed.filter((column) => sameName(column.name, name.name)).length;
  if (found === 0) {
    const owner = variables.find(
      ({ kind, columns }) => kind === 'record' && columns.some((c) => sameName(c.name, name.name))
    );
    if (owner === undefined) {
      throw unknownColumn(
        name,
        null,
        listed.map((column) => column.name)
      );
    }
    throw failure(
      'unknown_column',
      `"${name.name}" is a field of ${owner.name || 'a record'}, not a column`,
      name.position,
      {
        name: name.name,
        hint: `|> ${operator} changes columns only; list the fields to keep with |> SELECT`,
      }
    );
  }
  if (operator === 'RENAME' && variables.some(({ kind, name: own }) => kind === 'record' && sameName(own, name.name))) {
    throw failure('unknown_column', `"${name.name}" is a name of FROM, not a column`, name.position, {
      name: name.name,
      hint: `write |> EXTEND ${name.name} AS ... |> DROP ${name.name}`,
    });
  }
  if (found === 1 || takesSeveral) return;
  throw failure(
    'ambiguous_column',
    `column "${name.name}" is ambiguous: the table has ${found} of that name`,
    name.position,
    {
      hint: 'name the columns differently with AS',
    }
  );
}

function editedVariable(
  variable: RangeVariable,
  edits: ReadonlyMap<string, ColumnEdit>,
  position: SourcePosition
): readonly RangeVariable[] {
  if (variable.isQualifiedOnly === true) return [variable];
  if (variable.kind === 'record') {
    const edit = edits.get(variable.name.toLowerCase());
    if (edit === undefined) return [variable];
    const column = edit(wholeColumn(variable));
    return column === null ? [] : [columnsVariable([column], position)];
  }
  if (!variable.columns.some(({ name }) => edits.has(name.toLowerCase()))) return [variable];
  const columns = tableColumns(variable).flatMap((column) => {
    const edit = edits.get(column.name.toLowerCase());
    const after = edit === undefined ? column : edit(column);
    return after === null ? [] : [after];
  });
  return columns.length === 0 ? [] : columnVariables(columns, variable.position);
}

/** Expressions up to this size are written out where a later operator uses their column. */
const MAX_INLINED_SIZE = 24;

/** Whether the value should be computed once, in a query of its own, when a later operator uses it. */
export function isHeavy({ expr }: Value): boolean {
  const pending: Expr[] = [expr];
  for (let size = 1; ; size += 1) {
    const next = pending.pop();
    if (next === undefined) return false;
    if (size > MAX_INLINED_SIZE || next.kind === 'subquery' || next.kind === 'in-subquery') return true;
    pending.push(...children(next));
  }
}
