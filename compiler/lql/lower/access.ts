/**
 * The two modes of reading a path. FIRST (select, chart, NULL tests) follows the first element of each array. ANY
 * (filters) is true if the condition holds for any value that the path reaches. A record of a log event is an array of
 * at most one element, for which both modes agree; only real lists of records need EXISTS.
 */
import { callExpression } from '../../ast/call';
import type { Expression, Identifier, SourcePosition } from '../../ast';
import type { LogicalColumn } from '../../ir/plan';
import { shortTypeName, type Type } from '../../ir/types';
import { recordFields as recordFieldsOf } from '../../resolve/relations/range-variables';
import { knownHint, meantHint } from '#contract/nearest-name';
import { nestedHint, noRoomHint, type FieldWriter } from '../../resolve/names/nested-fields';
import type { NonEmpty } from '../../items';
import { printPath, printSegment } from '../encode/print-path';
import { lqlError } from '../errors';
import type { LqlPath } from '../rules';
import type { AliasedTable } from './table';
import { bool, element, exists, identifier, not, path as pathOf, type Opened } from './tree';

interface Step {
  readonly part: Identifier;
  /** Owner of the field: a record, an array of at most one record, or a list of records. */
  readonly owner: 'record' | 'single' | 'list';
}

export interface Access {
  readonly path: LqlPath;
  /** Alias of the table. */
  readonly alias: string;
  /** Type of the values that the path reaches. */
  readonly type: Type;
  readonly column: Identifier;
  readonly steps: readonly Step[];
}

/** Resolves a path; names are case-sensitive. @throws unknown_column */
export function access(path: LqlPath, table: AliasedTable): Access {
  const [column, ...fields] = path.parts;
  let type = typeNamed(table.columns, path.parts, `table ${table.name}`);
  const steps: Step[] = [];
  fields.forEach((part, index) => {
    const owner: LqlPath = { ...path, parts: [column, ...fields.slice(0, index)] };
    const { kind, fields: known, isFull } = fieldsOf(type, owner, part);
    steps.push({ part: identifier(part.name, part.position), owner: kind });
    const written = printPath(owner);
    const before = written === 'metadata' ? 'm' : written;
    type = typeNamed(known, [part, ...fields.slice(index + 1)], written, { before, isFull });
  });
  return { path, alias: table.alias, type, column, steps };
}

/** FIRST(path). */
export function first({ path, alias, column, steps }: Access): Expression {
  let value = pathOf([alias, column.name], path.position);
  for (const { part, owner } of steps) value = field(owner === 'record' ? value : element(value, 0), part);
  return value;
}

/** ANY(path, condition), or its negation; not NULL where it decides about a row. */
export function any(reached: Access, negated: boolean, condition: (value: Expression) => Expression): Expression {
  const { path, alias: table, column, steps } = reached;
  const opened: Opened[] = [];
  let value = pathOf([table, column.name], path.position);
  for (const { part, owner } of steps) {
    if (owner === 'list') {
      const alias = `x${opened.length + 1}`;
      opened.push({ array: value, alias });
      value = pathOf([alias, part.name], part.position);
    } else {
      value = field(owner === 'record' ? value : element(value, 0), part);
    }
  }
  if (opened.length === 0) return negated ? isNotTrue(condition(value)) : condition(value);
  const found = exists(opened, condition(value));
  return negated ? not(found) : found;
}

/** Negation that is true for an unknown condition. */
export function isNotTrue(condition: Expression): Expression {
  const { position } = condition;
  return not(callExpression('COALESCE', [condition, bool(false, position)], position));
}

function field(base: Expression, part: Identifier): Expression {
  if (base.kind === 'path') return { ...base, parts: [...base.parts, part] };
  return { kind: 'field', base, field: part, position: { ...base.position, end: part.position.end } };
}

function fieldsOf(
  type: Type,
  owner: LqlPath,
  part: Identifier
): { readonly kind: Step['owner']; readonly fields: readonly LogicalColumn[]; readonly isFull: boolean } {
  const isFull = (record: Type): boolean => 'shape' in record && record.shape.isFull === true;
  switch (type.kind) {
    case 'SINGLE':
      return { kind: 'single', fields: recordFields(type), isFull: isFull(type) };
    case 'RECORD':
    case 'STRUCT':
      return { kind: 'record', fields: recordFields(type), isFull: isFull(type) };
    case 'ARRAY':
      if (isRecord(type.element)) {
        return { kind: 'list', fields: recordFields(type.element), isFull: isFull(type.element) };
      }
      break;
    default:
      break;
  }
  throw lqlError(
    'unknown_column',
    `"${printPath(owner)}" is ${withArticle(shortTypeName(type))} and has no field "${part.name}"`,
    part.position,
    { name: part.name }
  );
}

export function isRecord(type: Type): boolean {
  return type.kind === 'SINGLE' || type.kind === 'RECORD' || type.kind === 'STRUCT';
}

function recordFields(type: Type): readonly LogicalColumn[] {
  if (type.kind === 'STRUCT') return type.fields;
  return type.kind === 'SINGLE' || type.kind === 'RECORD' ? recordFieldsOf(type.shape) : [];
}

const LQL: FieldWriter = {
  field: (owner, name) => `${owner}.${printSegment(name)}`,
  opened: (owner) => owner,
};

/**
 * Type of the first name of `parts`. @throws unknown_column, duplicate_alias
 *
 * @param before the path to the columns; none for those of the table
 * @param isFull whether events may have further fields, which queries cannot name
 */
function typeNamed(
  columns: readonly LogicalColumn[],
  parts: NonEmpty<Identifier>,
  owner: string,
  { before, isFull = false }: { readonly before?: string; readonly isFull?: boolean } = {}
): Type {
  const [part] = parts;
  const [found, other] = columns.filter(({ name }) => name === part.name);
  if (other !== undefined) throw repeatedName(part.name, owner, part.position);
  if (found !== undefined) return found.type;
  const shown = columns.filter(({ isHidden }) => isHidden !== true);
  const values = shown.map(({ name, type }) => ({ written: writtenColumn(name, before), type }));
  const names = shown.map(({ name }) => name);
  const nested = nestedHint(values, parts, LQL) ?? noRoomHint(isFull, part.name, names);
  throw lqlError('unknown_column', `unknown column "${part.name}" in ${owner}`, part.position, {
    name: part.name,
    ...(nested === undefined
      ? { ...knownHint('columns', names), ...meantHint(part.name, names, 3), ...clauseHint(part.name, before) }
      : { hint: nested }),
  });
}

/** @param owner of the columns, such as `table logs` */
export function repeatedName(name: string, owner: string, position: SourcePosition): Error {
  return lqlError('duplicate_alias', `${owner} has two columns named "${name}"`, position, {
    hint: 'write a select clause for each column to return, and use other columns: s:timestamp s:event_message',
  });
}

const CLAUSES_OF_SQL: ReadonlySet<string> = new Set(['limit', 'offset', 'sort', 'order', 'group']);

/** @param before the path to the columns; none for those of the table */
function clauseHint(name: string, before: string | undefined): { readonly hint?: string } {
  if (before !== undefined || !CLAUSES_OF_SQL.has(name.toLowerCase())) return {};
  return {
    hint: 'the newest rows come first, as many as the saved query allows; SQL has ORDER BY, GROUP BY and LIMIT',
  };
}

function writtenColumn(name: string, before: string | undefined): string {
  if (before !== undefined) return LQL.field(before, name);
  return name === 'metadata' ? 'm' : printSegment(name);
}

/** Type name with its article: `an INT64`, `a STRING`. */
export function withArticle(typeName: string): string {
  return `${/^[AI]/.test(typeName) ? 'an' : 'a'} ${typeName}`;
}
