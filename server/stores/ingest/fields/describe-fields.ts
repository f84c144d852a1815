/** Describes the nested fields of a source for the compiler. */
import type { CatalogField, CatalogRecord } from '#compiler/store';
import type { SourceMisfits } from '#contract/queries/description';
import { MAX_LISTS } from '../limits';
import type { FieldNode, FieldTree } from './field-tree';

/** Returns the field's column; null: the field is read from the JSON text. */
export type ColumnOf = (node: FieldNode) => string | null;

const NO_FIELDS: ReadonlyMap<string, CatalogField> = new Map();

/** @param lists of records around the record */
export function describeFields(record: FieldNode, columnOf: ColumnOf, lists = 0): ReadonlyMap<string, CatalogField> {
  const fields = new Map<string, CatalogField>();
  for (const child of record.byKey.values()) {
    const field = describeField(child, columnOf, lists);
    if (field !== null) fields.set(child.key, field);
  }
  return fields;
}

/** @param lists of records around the field */
function describeField(node: FieldNode, columnOf: ColumnOf, lists: number): CatalogField | null {
  switch (node.kind) {
    case 'empty':
      return null;
    case 'leaf':
      return { kind: 'leaf', type: node.type ?? 'STRING', column: columnOf(node) };
    case 'list':
      return { kind: 'list', element: node.type ?? 'STRING', column: columnOf(node) };
    case 'record':
      return {
        kind: 'record',
        presence: columnOf(node),
        fields: describeFields(node, columnOf, lists),
      } satisfies CatalogRecord;
    case 'records':
      return { kind: 'records', fields: lists < MAX_LISTS ? describeFields(node, columnOf, lists + 1) : NO_FIELDS };
  }
}

/** Maximum fields with misfits that are listed for a source. */
const MAX_MISFITTED = 100;

export function describeMisfits(tree: FieldTree): SourceMisfits {
  const fields = [...tree.misfitted].map((node) => ({
    field: node.path().join('.'),
    type: typeName(node),
    values: node.misfits,
  }));
  fields.sort((a, b) => b.values - a.values || (a.field < b.field ? -1 : 1));
  return { values: fields.reduce((sum, { values }) => sum + values, 0), fields: fields.slice(0, MAX_MISFITTED) };
}

/** Type of a field as `sources.yaml` writes it. */
export function typeName({ kind, type }: FieldNode): string {
  switch (kind) {
    case 'leaf':
      return type ?? 'STRING';
    case 'list':
      return `ARRAY<${type ?? 'STRING'}>`;
    case 'records':
      return 'ARRAY<STRUCT>';
    default:
      return 'STRUCT';
  }
}
