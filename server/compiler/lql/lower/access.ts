/**
 * The two ways to read a path. FIRST (select, chart, NULL tests) follows the first element of every array. ANY (filters) holds when some
 * value that the path reaches does. A record of a log event is an array of at most one, where both are the same; only a real list of
 * records is searched with EXISTS.
 */
import type { Expression, Identifier } from '../../ast';
import type { LogicalColumn } from '../../ir/plan';
import { shortTypeName, type Type } from '../../ir/types';
import { recordFields as recordFieldsOf } from '../../resolver/range-variables';
import { nearest } from '../../resolver/suggest';
import { printPath } from '../encode/print-path';
import { lqlError } from '../errors';
import type { LqlPath } from '../rules';
import type { LqlTable } from './table';
import { bool, call, element, exists, identifier, not, path as pathOf, type Opened } from './tree';

/** The name under which the table is read. */
export const TABLE_ALIAS = 't';

interface Step {
  readonly part: Identifier;
  /** What the field is read from: a record, an array of at most one record, or a list of records. */
  readonly owner: 'record' | 'single' | 'list';
}

export interface Access {
  readonly path: LqlPath;
  /** Of the values that the path reaches. */
  readonly type: Type;
  readonly column: Identifier;
  readonly steps: readonly Step[];
}

/** Names are compared with their case. @throws unknown_column */
export function access(path: LqlPath, table: LqlTable): Access {
  const [column, ...fields] = path.parts as [Identifier, ...Identifier[]];
  let type = typeNamed(table.columns, column, `table ${table.name}`);
  const steps: Step[] = [];
  fields.forEach((part, index) => {
    const owner = { ...path, parts: path.parts.slice(0, index + 1) };
    const { kind, fields: known } = fieldsOf(type, owner, part);
    steps.push({ part: identifier(part.name, part.position), owner: kind });
    type = typeNamed(known, part, printPath(owner));
  });
  return { path, type, column, steps };
}

/** FIRST(path). */
export function first({ path, column, steps }: Access): Expression {
  let value = pathOf([TABLE_ALIAS, column.name], path.position);
  for (const { part, owner } of steps) value = field(owner === 'record' ? value : element(value, 0), part);
  return value;
}

/** ANY(path, condition), or its negation; neither is ever NULL where a row is kept or left out by it. */
export function any(reached: Access, negated: boolean, condition: (value: Expression) => Expression): Expression {
  const { path, column, steps } = reached;
  const opened: Opened[] = [];
  let value = pathOf([TABLE_ALIAS, column.name], path.position);
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

/** A condition that is unknown does not hold, so its negation does. */
export function isNotTrue(condition: Expression): Expression {
  const { position } = condition;
  return not(call('COALESCE', [condition, bool(false, position)], position));
}

function field(base: Expression, part: Identifier): Expression {
  if (base.kind === 'path') return { ...base, parts: [...base.parts, part] };
  return { kind: 'field', base, field: part, position: { ...base.position, end: part.position.end } };
}

function fieldsOf(
  type: Type,
  owner: LqlPath,
  part: Identifier
): { readonly kind: Step['owner']; readonly fields: readonly LogicalColumn[] } {
  switch (type.kind) {
    case 'SINGLE':
      return { kind: 'single', fields: recordFields(type) };
    case 'RECORD':
    case 'STRUCT':
      return { kind: 'record', fields: recordFields(type) };
    case 'ARRAY':
      if (isRecord(type.element)) return { kind: 'list', fields: recordFields(type.element) };
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

function typeNamed(columns: readonly LogicalColumn[], part: Identifier, owner: string): Type {
  const found = columns.find(({ name }) => name === part.name);
  if (found !== undefined) return found.type;
  const near = nearest(
    part.name,
    columns.flatMap(({ name, isHidden }) => (isHidden ? [] : [name])),
    3
  );
  throw lqlError('unknown_column', `unknown column "${part.name}" in ${owner}`, part.position, {
    name: part.name,
    ...(near.length === 0 ? {} : { hint: `did you mean ${near.map((name) => `"${name}"`).join(' or ')}?` }),
  });
}

/** `an INT64`, `a STRING`. */
export function withArticle(typeName: string): string {
  return `${/^[AI]/.test(typeName) ? 'an' : 'a'} ${typeName}`;
}
