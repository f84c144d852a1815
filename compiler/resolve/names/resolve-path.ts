/** Resolves dotted names: range variables, columns, fields of records. */
import { jsonStep } from '../expressions/values/json-step';
import type { Identifier } from '../../ast';
import type { Value } from '../../functions/function';
import { nearestName } from '#contract/nearest-name';
import { shownFields, typeName, type RecordShape, type Type } from '../../ir/types';
import { printName, printPath } from '../../sql/canonical/expressions/print-name';
import { failure } from '../failure';
import {
  keyHint,
  memberHint,
  nestedHint,
  noRoomHint,
  openedHint,
  readableColumns,
  recordHint,
  type Readable,
  wholeHint,
} from './nested-fields';
import { sameName, uniqueColumnIndex, unknownColumn, type RangeVariable, type Scope } from './scope';
import { itemAt, type NonEmpty, valueAt } from '../../items';

/** Reads a field of a value. `owner` is its name in messages, `path` the whole path that the field is a part of. */
export type FieldStep = (value: Value, field: Identifier, owner: string, path: readonly Identifier[]) => Value;

/** Owner of a field of an expression that is no path, in messages. */
export const UNNAMED = 'the value';

/** Longest path that a hint repeats, in names and in characters. */
const MAX_HINT_NAMES = 4;
const MAX_HINT_LENGTH = 100;

/**
 * Resolves `a.b.c`: `a` is a range variable of a block, else a column there, from the innermost block outwards; the
 * rest are fields. @throws unknown_column, ambiguous_column, array_field
 */
export function resolvePath(
  parts: NonEmpty<Identifier>,
  scope: Scope,
  step: FieldStep = fieldOf,
  parameters: Readonly<Record<string, unknown>> = {}
): Value {
  const [first] = parts;
  for (let current: Scope | null = scope; current; current = current.parent) {
    const value = (current === scope ? undefined : aliasIn(current, parts, step)) ?? resolveIn(current, parts, step);
    if (value === undefined) continue;
    if (current !== scope) current.readFromInside.push({ value, subquery: null });
    return value;
  }
  const columns = scope.readableColumns();
  const hint =
    dottedHint(parts, scope, columns) ??
    wholeHint(columns, parts) ??
    ownerHint(parts, scope) ??
    (isLikeColumn(first, columns) ? undefined : nestedHint(columns, parts)) ??
    parameterHint(parts, parameters);
  throw unknownColumn(first, null, scope.visibleNames(), hint, scope.listedNames());
}

/** `write a.id`, for a column of the only table, with a name before it that FROM does not give that table. */
function ownerHint([first, second]: NonEmpty<Identifier>, scope: Scope): string | undefined {
  if (second === undefined || nearestName(first.name, scope.visibleNames()) !== undefined) return undefined;
  return tableHint(second, scope);
}

/** Whether a column differs from the name in its underscores only: `_timestamp`. */
function isLikeColumn({ name }: Identifier, columns: readonly Readable[]): boolean {
  const letters = (text: string): string => text.replaceAll('_', '').toLowerCase();
  return columns.some(({ written }) => letters(written) === letters(name));
}

/** Rows of a saved query's tables often lack the column by which its parameter has chosen them. */
function parameterHint(
  [{ name }, ...others]: NonEmpty<Identifier>,
  parameters: Readonly<Record<string, unknown>>
): string | undefined {
  const isParameter = others.length === 0 && Object.hasOwn(parameters, name);
  return isParameter ? `write @${name} for the value of the parameter` : undefined;
}

/** Backticks around a dotted name make one name of it, also where the parts alone would be right. */
function dottedHint(
  [first, ...others]: readonly Identifier[],
  scope: Scope,
  columns: readonly Readable[]
): string | undefined {
  if (first === undefined || others.length > 0 || !first.quoted || !first.name.includes('.')) return undefined;
  const { name, position } = first;
  const hint = keyHint(columns, name, position) ?? keyHint(columns, withoutOwner(name, scope), position);
  return hint && `${hint}; backticks make one name of all that they enclose`;
}

function withoutOwner(name: string, scope: Scope): string {
  const [owner = '', ...path] = name.split('.');
  return scope.variable(owner) === undefined ? name : path.join('.');
}

/** A select alias of an outer block in a subquery of its HAVING, QUALIFY or ORDER BY. */
function aliasIn({ aliases }: Scope, parts: NonEmpty<Identifier>, step: FieldStep): Value | undefined {
  const value = aliases?.readInside(parts[0]);
  return value && followFields(value, parts, 1, step);
}

function resolveIn(scope: Scope, parts: NonEmpty<Identifier>, step: FieldStep): Value | undefined {
  const [first, second] = parts;
  const variable = scope.variable(first.name);
  if (variable !== undefined) {
    if (second === undefined) return variable.whole(first.position);
    return followFields(columnOf(variable, second, parts.slice(1), scope), parts, 2, step);
  }
  const column = scope.column(first);
  return column && followFields(column, parts, 1, step);
}

/**
 * A column by its range variable; `path` is what follows the variable, `scope` where else it may be.
 * @throws unknown_column with a suggestion
 */
export function columnOf(
  variable: RangeVariable,
  name: Identifier,
  path: readonly Identifier[] = [name],
  scope: Scope | null = null
): Value {
  const index = uniqueColumnIndex(variable.columns, name, variable.name);
  if (index < 0) {
    if (variable.columns.length === 0) refuseMember(variable, name, path);
    const shown = variable.columns.flatMap((column) => (column.isHidden ? [] : [column.name]));
    const hint =
      nestedHint(readableColumns(variable.name, variable.columns), path) ??
      tableHint(name, scope) ??
      noRoomHint(variable.isFull, name.name, shown);
    throw unknownColumn(name, variable.name, shown, hint);
  }
  return variable.column(index, { display: name.name, position: name.position });
}

/** @throws type_mismatch for an element of a list of texts, which may be JSON */
function refuseMember(variable: RangeVariable, name: Identifier, path: readonly Identifier[]): void {
  if (variable.whole(name.position).type.kind !== 'STRING') return;
  throw failure('type_mismatch', `"${variable.name}" is a STRING and has no field "${name.name}"`, name.position, {
    hint: memberHint(printName({ name: variable.name, quoted: false }), fieldsFrom(name, path)),
  });
}

/** `write e.timestamp`, for a column of the only table that was looked for in an opened record. */
function tableHint(name: Identifier, scope: Scope | null): string | undefined {
  for (let current = scope; current; current = current.parent) {
    const [table, ...others] = current.variables.filter(({ kind }) => kind === 'table');
    const column = table?.columns.find((each) => each.isHidden !== true && sameName(each.name, name.name));
    if (table === undefined || column === undefined || others.length > 0) continue;
    const owner = table.name === '' ? '' : `${printName({ name: table.name, quoted: false })}.`;
    return `write ${owner}${printName({ name: column.name, quoted: false })}`;
  }
  return undefined;
}

/** @param from index of the first field */
function followFields(value: Value, path: readonly Identifier[], from: number, step: FieldStep): Value {
  let current = value;
  for (let index = from; index < path.length; index += 1) {
    current = step(current, itemAt(path, index), itemAt(path, index - 1).name, path);
  }
  return current;
}

/** Names of a field and of those behind it. */
function fieldsFrom(field: Identifier, path: readonly Identifier[]): readonly string[] {
  const from = path.indexOf(field);
  return (from < 0 ? [field] : path.slice(from)).map(({ name }) => name);
}

/** What stands before a field, as text of SQL; `...` if that is long. */
function writtenOwner(field: Identifier, owner: string, path: readonly Identifier[]): string {
  const count = path.indexOf(field);
  if (count < 1) return owner === UNNAMED ? '...' : owner;
  if (count > MAX_HINT_NAMES) return '...';
  const written = printPath(path.slice(0, count));
  return written.length > MAX_HINT_LENGTH ? '...' : written;
}

/** Records of an event are opened in place, at every depth; a list gives rows. */
function arrayHint(type: Type, field: Identifier, owner: string, path: readonly Identifier[]): string {
  if (type.kind !== 'SINGLE') return `cross join unnest(${owner}) as x`;
  if (owner === '...') return recordHint(field);
  return openedHint(owner, type, path.slice(path.indexOf(field)));
}

/** One field of a record value. @throws array_field, unknown_column, type_mismatch */
export function fieldOf(value: Value, field: Identifier, owner: string, path: readonly Identifier[] = []): Value {
  const { type, expr } = value;
  switch (type.kind) {
    case 'RECORD': {
      const name = fieldName(type.shape, field, owner);
      const fieldType = valueAt(type.shape.fields, name);
      const position = field.position;
      if (expr.kind === 'lazy-record') {
        return {
          expr: { ...expr, path: [...expr.path, name], type: fieldType, display: field.name, position },
          type: fieldType,
          text: null,
          position,
        };
      }
      return {
        expr: { kind: 'json-field', base: expr, path: [name], type: fieldType },
        type: fieldType,
        text: null,
        position,
      };
    }
    case 'STRUCT': {
      const index = uniqueColumnIndex(type.fields, field, owner);
      const found = type.fields[index];
      if (found === undefined) {
        throw unknownColumn(
          field,
          owner,
          type.fields.map((other) => other.name)
        );
      }
      const inner =
        expr.kind === 'struct' && expr.isKey !== true
          ? itemAt(expr.fields, index).expr
          : ({ kind: 'struct-field', base: expr, field: found.name, index, type: found.type } as const);
      return { expr: inner, type: found.type, text: null, position: field.position };
    }
    case 'JSON':
      return jsonStep(value, field.name, field.position);
    case 'SINGLE':
    case 'ARRAY':
      throw failure(
        'array_field',
        `"${field.name}" cannot be read from an array; open the array with CROSS JOIN UNNEST(...) AS x and write x.${field.name}`,
        field.position,
        { hint: arrayHint(type, field, writtenOwner(field, owner, path), path) }
      );
    default:
      throw failure(
        'type_mismatch',
        `"${owner}" is a ${typeName(type)} and has no field "${field.name}"`,
        field.position,
        type.kind === 'STRING' ? { hint: memberHint(writtenOwner(field, owner, path), fieldsFrom(field, path)) } : {}
      );
  }
}

function fieldName(shape: RecordShape, field: Identifier, owner: string): string {
  if (shape.fields.has(field.name)) return field.name;
  for (const name of shape.fields.keys()) if (sameName(name, field.name)) return name;
  const shown = shownFields(shape).map(([name]) => name);
  throw unknownColumn(field, owner, shown, noRoomHint(shape.isFull, field.name, shown));
}
