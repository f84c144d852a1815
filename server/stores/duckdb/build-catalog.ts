/** Describes the store to the compiler. */
import type {
  Catalog,
  CatalogColumn,
  CatalogField,
  CatalogPart,
  CatalogRecord,
  CatalogSource,
} from '../../compiler/catalog';
import type { FieldNode } from '../ingest/field-tree';
import { MICROS_PER_DAY } from '../ingest/timestamp';
import { METADATA_COLUMN } from './insert-statement';
import type { Part } from './part';
import type { SourceState } from './source-state';

export function buildCatalog(sources: readonly CatalogSource[]): Catalog {
  return Object.freeze({ dialect: 'duckdb', sources: Object.freeze([...sources]) });
}

export function describeSource({ source, tree, parts }: SourceState): CatalogSource {
  const own = Object.entries(source.columns).map(([name, type]): CatalogColumn => ({ name, type }));
  return Object.freeze({
    name: source.name,
    aliases: source.aliases,
    columns: [
      { name: 'id', type: 'STRING' },
      { name: 'timestamp', type: 'TIMESTAMP' },
      { name: 'event_message', type: 'STRING' },
      ...own,
    ],
    metadata: { kind: 'record', presence: null, fields: describeFields(tree.root) },
    metadataText: METADATA_COLUMN,
    parts: [...parts.values()].sort((a, b) => b.day - a.day).map(describePart),
  } satisfies CatalogSource);
}

function describePart({ table, day, columns }: Part): CatalogPart {
  return { table, fromMicros: day * MICROS_PER_DAY, toMicros: (day + 1) * MICROS_PER_DAY, columns, json: null };
}

function describeFields(record: FieldNode): ReadonlyMap<string, CatalogField> {
  const fields = new Map<string, CatalogField>();
  for (const child of record.byKey.values()) {
    const field = describeField(child);
    if (field !== null) fields.set(child.key, field);
  }
  return fields;
}

function describeField(node: FieldNode): CatalogField | null {
  switch (node.kind) {
    case 'empty':
      return null;
    case 'leaf':
      return { kind: 'leaf', type: node.type ?? 'STRING', column: node.column };
    case 'list':
      return { kind: 'list', element: node.type ?? 'STRING', column: node.column };
    case 'record':
      return { kind: 'record', presence: node.column, fields: describeFields(node) } satisfies CatalogRecord;
    case 'records':
      return { kind: 'records', fields: describeFields(node) };
  }
}
