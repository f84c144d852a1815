/** What the tables of a source are to look like; see docs/decisions/0070. */
import type { ScalarType, Source } from '#contract/source';
import { declareFields } from '../ingest/declared-fields';
import { type FieldNode, FieldTree } from '../ingest/field-tree';
import { SPELLED_NAMES } from './field-name';

export const METADATA_COLUMN = 'metadata_json';
/** Cannot be an own column of a source: those begin with a letter. */
export const FIELDS_COLUMN = '_fields';
/** Which insert brought a row; see `insertMark`. */
export const INSERT_COLUMN = '_insert';
/** More paths than this are kept together, slower to read; a source has no more fields with a column. */
const MAX_PATHS = 512;

export interface ColumnLayout {
  readonly name: string;
  /** As ClickHouse writes it in `system.columns`. */
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

export function clickHouseType(type: ScalarType): string {
  return CLICKHOUSE_TYPES[type];
}

/** Names of columns that every table has, beside those of nested fields. */
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
    // Neighbours in a key that ends with the time differ little.
    column('timestamp', "DateTime64(6, 'UTC')", 'DoubleDelta, ZSTD(1)'),
    column('event_message', nullable('STRING'), 'ZSTD(1)'),
    ...Object.entries(source.columns).map(([name, type]) => column(name, nullable(type), 'ZSTD(1)')),
    ...declaredColumns(source).map(({ name, type }) => ({ name, type: nullable(type), codec: 'ZSTD(1)', path: name })),
    column(INSERT_COLUMN, 'UInt64', 'ZSTD(1)'),
    column(FIELDS_COLUMN, `JSON(max_dynamic_paths=${MAX_PATHS})`, 'ZSTD(1)'),
    // Long, alike, and read for the rows of a result only: packed more tightly.
    column(METADATA_COLUMN, 'String', 'ZSTD(3)'),
  ];
}

/** Declared fields that hold one value, and the presence of the records above them. */
function declaredColumns(source: Source): readonly { readonly name: string; readonly type: ScalarType }[] {
  return [...columnFields(declaredTree(source).root)].map((node) => ({ name: node.column!, type: columnType(node) }));
}

/** What is known of a source before its first event. */
export function declaredTree(source: Source): FieldTree {
  const tree = new FieldTree(commonColumns(source), SPELLED_NAMES);
  declareFields(tree, source.fields);
  return tree;
}

/** Fields that have a column or a path here. Lists are read from the JSON text: an array of ClickHouse cannot be NULL. */
export function* columnFields(record: FieldNode): Generator<FieldNode> {
  for (const child of record.byKey.values()) {
    if (hasColumn(child)) yield child;
    yield* columnFields(child);
  }
}

export function hasColumn(node: FieldNode): boolean {
  return node.column !== null && (node.kind === 'leaf' || node.kind === 'record');
}

/** Of a field that has a column: the presence of a record is a BOOL. */
export function columnType(node: FieldNode): ScalarType {
  return node.kind === 'record' ? 'BOOL' : (node.type ?? 'STRING');
}

/**
 * The key: what says whose events they are, then the time. Both saved queries read a part of it: the newest logs of a project lie together, and the
 * time leaves out what is outside the window within each project. Measurements: docs/clickhouse.md.
 */
export function sortKey(source: Source): readonly string[] {
  const { columns, fields } = source;
  if (columns['project'] === 'STRING') return ['project', 'timestamp'];
  const name = ['project', 'project_ref'].find((field) => fields[field] === 'STRING');
  return name === undefined ? ['timestamp'] : [`metadata.${name}`, 'timestamp'];
}
