/** Layout of the tables of a source; see docs/decisions/0070-clickhouse-layout.md. */
import type { ScalarType, Source } from '#contract/events/source';
import { declareFields } from '../../ingest/fields/declared-fields';
import { type FieldNode, FieldTree } from '../../ingest/fields/field-tree';
import { SPELLED_NAMES } from './field-name';

export const METADATA_COLUMN = 'metadata_json';
/** JSON column with the fields; no own column of a source has this name, since those begin with a letter. */
export const FIELDS_COLUMN = '_fields';
/** Column with the insert that stored a row; see `insertMark`. */
export const INSERT_COLUMN = '_insert';
/**
 * Maximum paths of `_fields` with a column of their own; further ones would share a slower one. A source has at most
 * `MAX_COLUMNS` of them.
 */
const MAX_PATHS = 512;

/** Column of texts with an index on their pieces. */
export const SEARCHED_COLUMN = 'event_message';

export interface ColumnLayout {
  readonly name: string;
  /** Type in the spelling of `system.columns`. */
  readonly type: string;
  readonly codec: string;
  /** Path of `_fields` with the values of rows that are older than the column. */
  readonly path: string | null;
}

const CLICKHOUSE_TYPES: Readonly<Record<ScalarType, string>> = {
  STRING: 'String',
  INT64: 'Int64',
  FLOAT64: 'Float64',
  BOOL: 'Bool',
};

const SCALAR_TYPES = Object.keys(CLICKHOUSE_TYPES) as readonly ScalarType[];

export function clickHouseType(type: ScalarType): string {
  return CLICKHOUSE_TYPES[type];
}

/** @returns the type that a column has by its declaration; null: an operator has given it another, as Int32 */
export function declaredTypeOf(column: string): ScalarType | null {
  const plain = /^(?:LowCardinality\()?(?:Nullable\()?(\w+)\)*$/.exec(withoutBlanks(column))?.[1];
  return SCALAR_TYPES.find((type) => CLICKHOUSE_TYPES[type] === plain) ?? null;
}

/** Names of columns that every table has, in addition to those of nested fields. */
export function commonColumns(source: Source): string[] {
  return [
    'id',
    'timestamp',
    'event_message',
    ...Object.keys(source.columns),
    METADATA_COLUMN,
    FIELDS_COLUMN,
    INSERT_COLUMN,
  ];
}

export function columnsOf(source: Source): readonly ColumnLayout[] {
  const column = (name: string, type: string, codec: string): ColumnLayout => ({ name, type, codec, path: null });
  const nullable = (type: ScalarType): string => `Nullable(${CLICKHOUSE_TYPES[type]})`;
  return [
    column('id', 'String', 'ZSTD(1)'),
    // Neighboring rows in a sort key that ends with the time have similar times.
    column('timestamp', "DateTime64(6, 'UTC')", 'DoubleDelta, ZSTD(1)'),
    column('event_message', nullable('STRING'), 'ZSTD(1)'),
    ...Object.entries(source.columns).map(([name, type]) => column(name, nullable(type), 'ZSTD(1)')),
    ...declaredColumns(source).map(({ name, type }) => ({ name, type: nullable(type), codec: 'ZSTD(1)', path: name })),
    column(INSERT_COLUMN, 'UInt64', 'ZSTD(1)'),
    column(FIELDS_COLUMN, `JSON(max_dynamic_paths=${MAX_PATHS})`, 'ZSTD(1)'),
    // Compressed more: long, repetitive, and read only for the rows of a result.
    column(METADATA_COLUMN, 'String', 'ZSTD(3)'),
  ];
}

/** Declared fields with a single value, and the presence of the records above them. */
function declaredColumns(source: Source): readonly { readonly name: string; readonly type: ScalarType }[] {
  return [...columnFields(declaredTree(source).root)].map((node) => ({ name: node.column!, type: columnType(node) }));
}

/** The fields of a source before its first event. */
export function declaredTree(source: Source): FieldTree {
  const tree = new FieldTree(commonColumns(source), SPELLED_NAMES);
  declareFields(tree, source.fields);
  return tree;
}

/** Fields with a column or a path. Lists are read from the JSON text: an array in ClickHouse cannot be NULL. */
export function* columnFields(record: FieldNode): Generator<FieldNode> {
  for (const child of record.byKey.values()) {
    if (hasColumn(child)) yield child;
    yield* columnFields(child);
  }
}

export function hasColumn(node: FieldNode): boolean {
  return node.column !== null && (node.kind === 'leaf' || node.kind === 'record');
}

/** Type of the column of a field: the presence of a record is a BOOL. */
export function columnType(node: FieldNode): ScalarType {
  return node.kind === 'record' ? 'BOOL' : (node.type ?? 'STRING');
}

/**
 * Sort key: the project column or field if there is one, then the time. The newest events of a project are stored
 * together, and the time bounds skip rows outside the window within each project. Measurements: docs/clickhouse.md.
 */
export function sortKey(source: Source): readonly string[] {
  const { columns, fields } = source;
  if (columns['project'] === 'STRING') return ['project', 'timestamp'];
  const name = ['project', 'project_ref'].find((field) => fields[field] === 'STRING');
  return name === undefined ? ['timestamp'] : [`metadata.${name}`, 'timestamp'];
}

/** Types are compared without blanks, which releases print in different places. */
export function withoutBlanks(type: string): string {
  return type.replaceAll(' ', '');
}
