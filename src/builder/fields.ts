/** The fields of a table as the builder offers them: one list with dotted names, and what each may be compared with. */
import type { DescribedColumn } from '#contract/description';
import { AGGREGATES, FILTER_OPERATORS, type AggregateName, type FieldPath, type FilterOperator } from './model';

export type FieldKind = 'text' | 'number' | 'bool' | 'time' | 'list' | 'record';

export interface BuilderField {
  readonly path: FieldPath;
  /** As LQL writes it: `m.request.path`. */
  readonly label: string;
  /** The type's own name. */
  readonly type: string;
  readonly kind: FieldKind;
  /** Of a list. */
  readonly element?: FieldKind;
}

export type BuilderLanguage = 'sql' | 'lql';

/** Columns first, then what is below them; records themselves are there too, for columns of rows. */
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

/** What a field can be compared with in a language. */
export function operatorsOf({ path, kind }: BuilderField, language: BuilderLanguage): readonly FilterOperator[] {
  const offered = FILTER_OPERATORS.filter((each) => BY_KIND[kind].includes(each));
  if (language === 'sql') return offered;
  // LQL filters `timestamp` by clauses of its own, looks for a part in the message only, and its names begin with no quote.
  const isMessage = path.length === 1 && path[0] === 'event_message';
  if (path.length === 1 && (path[0] === 'timestamp' || !/^[A-Za-z_]\w+$/.test(path[0]!))) return [];
  return offered.filter((each) => isMessage || !each.endsWith('contains'));
}

/** The aggregates of a field; null: of rows. */
export function aggregatesOf(field: BuilderField | null): readonly AggregateName[] {
  if (field === null) return ['count'];
  if (field.kind === 'number') return AGGREGATES;
  if (field.kind === 'list' || field.kind === 'record') return [];
  return ['count', 'countd', 'min', 'max'];
}

/** Whether rows can be grouped by a field: it has one value, and in LQL the time has a clause of its own. */
export function isGroupable({ path, kind }: BuilderField, language: BuilderLanguage): boolean {
  return kind !== 'list' && kind !== 'record' && (language === 'sql' || path.length > 1 || path[0] !== 'timestamp');
}
