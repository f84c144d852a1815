/** Fields of a table for the builder: a flat list of dotted names, with the operators of each. */
import type { DescribedColumn } from '#contract/queries/description';
import { AGGREGATES, FILTER_OPERATORS, type AggregateName, type FieldPath, type FilterOperator } from './model';

export type FieldKind = 'text' | 'number' | 'bool' | 'time' | 'list' | 'record';

export interface BuilderField {
  readonly path: FieldPath;
  /** Name in LQL notation: `m.request.path`. */
  readonly label: string;
  /** Type name of the dialect. */
  readonly type: string;
  readonly kind: FieldKind;
  /** Kind of the elements of a list. */
  readonly element?: FieldKind;
}

export type BuilderLanguage = 'sql' | 'lql';

/** Fields of columns, each followed by its nested fields. Includes records, which can be columns of rows. */
export function fieldsOf(columns: readonly DescribedColumn[], parents: FieldPath = []): readonly BuilderField[] {
  const here = columns.map((column) => fieldOf(column, [...parents, column.name]));
  const below = columns.flatMap(({ name, fields }) => (fields ? fieldsOf(fields, [...parents, name]) : []));
  return [...here, ...below];
}

function fieldOf({ type, fields }: DescribedColumn, path: FieldPath): BuilderField {
  const label = labelOf(path);
  if (fields) return { path, label, type, kind: 'record' };
  const element = /^ARRAY<(.+)>$/.exec(type)?.[1];
  return element
    ? { path, label, type, kind: 'list', element: kindOf(element) }
    : { path, label, type, kind: kindOf(type) };
}

function kindOf(type: string): FieldKind {
  if (/^(INT64|FLOAT64)$/.test(type)) return 'number';
  if (type === 'BOOL') return 'bool';
  return /^(TIMESTAMP|DATETIME|DATE)$/.test(type) ? 'time' : 'text';
}

export function labelOf(path: FieldPath): string {
  return (path[0] === 'metadata' && path.length > 1 ? ['m', ...path.slice(1)] : path).join('.');
}

const BY_KIND: Readonly<Record<FieldKind, readonly FilterOperator[]>> = {
  text: ['=', '!=', 'contains', 'not contains', 'matches', 'not matches', 'in', 'not in', 'null', 'not null'],
  number: ['=', '!=', '>', '>=', '<', '<=', 'in', 'not in', 'null', 'not null'],
  bool: ['=', '!=', 'null', 'not null'],
  time: ['>', '>=', '<', '<=', 'null', 'not null'],
  list: ['includes', 'not includes'],
  record: [],
};

/** Operators for a field in a language. */
export function operatorsOf({ path, kind }: BuilderField, language: BuilderLanguage): readonly FilterOperator[] {
  const offered = FILTER_OPERATORS.filter((each) => BY_KIND[kind].includes(each));
  if (language === 'sql') return offered;
  // In LQL `timestamp` has clauses of its own, substring search exists for the message only, and names cannot start
  // with a quote.
  const isMessage = path.length === 1 && path[0] === 'event_message';
  if (path.length === 1 && (path[0] === 'timestamp' || !/^[A-Za-z_]\w+$/.test(path[0]!))) return [];
  return offered.filter((each) => isMessage || !each.endsWith('contains'));
}

/** Aggregates of a field; null: aggregates of rows. */
export function aggregatesOf(field: BuilderField | null): readonly AggregateName[] {
  if (field === null) return ['count'];
  if (field.kind === 'number') return AGGREGATES;
  if (field.kind === 'list' || field.kind === 'record') return [];
  return ['count', 'countd', 'min', 'max'];
}

/**
 * Whether rows can be grouped by a field: it must have a single value, and in LQL time buckets have a clause of their
 * own.
 */
export function isGroupable({ path, kind }: BuilderField, language: BuilderLanguage): boolean {
  return kind !== 'list' && kind !== 'record' && (language === 'sql' || path.length > 1 || path[0] !== 'timestamp');
}
