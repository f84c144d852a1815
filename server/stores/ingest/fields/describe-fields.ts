/** Describes the nested fields of a source for the compiler. */
import type { CatalogField, CatalogFields, CatalogRecord } from '#compiler/store';
import type { FieldUse, SourceMisfits, TenantFields } from '#contract/queries/description';
import { MAX_LISTS } from '../limits';
import type { RefusedFields } from '../../store';
import type { FieldNode, FieldTree } from './field-tree';

/** Returns the field's column; null: the field is read from the JSON text. */
export type ColumnOf = (node: FieldNode) => string | null;

const NO_FIELDS: CatalogFields = { fields: new Map() };

export function describeMetadata(tree: FieldTree, columnOf: ColumnOf): CatalogRecord {
  const isFull = tree.fields.isLimited || tree.columns.isLimited;
  return { kind: 'record', presence: null, ...describeRecord(tree.root, { columnOf, isFull }, 0) };
}

interface Description {
  readonly columnOf: ColumnOf;
  /** Whether events may have fields that got no name. */
  readonly isFull: boolean;
}

/** @param lists of records around the record */
function describeRecord(record: FieldNode, description: Description, lists: number): CatalogFields {
  const fields = new Map<string, CatalogField>();
  for (const child of record.byKey.values()) {
    const field = describeField(child, description, lists);
    if (field !== null) fields.set(child.key, field);
  }
  return { fields, ...(description.isFull && { isFull: true }) };
}

/** @param lists of records around the field */
function describeField(node: FieldNode, description: Description, lists: number): CatalogField | null {
  const { columnOf } = description;
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
        ...describeRecord(node, description, lists),
      } satisfies CatalogRecord;
    case 'records':
      return { kind: 'records', ...(lists < MAX_LISTS ? describeRecord(node, description, lists + 1) : NO_FIELDS) };
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

/** Maximum tenants that are listed for a source. */
const MAX_TENANTS = 10;

export function describeUse({ fields, columns }: FieldTree): FieldUse {
  const tenants = [...fields.tenants].map((tenant): TenantFields => ({
    tenant,
    fields: fields.of(tenant),
    columns: columns.of(tenant),
  }));
  tenants.sort((a, b) => b.fields - a.fields || b.columns - a.columns || (a.tenant < b.tenant ? -1 : 1));
  return {
    fields: fields.count,
    max_fields: fields.max,
    columns: columns.count,
    max_columns: columns.max,
    tenants: tenants.slice(0, MAX_TENANTS),
  };
}

/** Reports values of a batch that got no name in queries. @returns null when all have one */
export function refusedFields(source: string, { refused, sender, fields, columns }: FieldTree): RefusedFields | null {
  if (refused === 0) return null;
  const ofTenant = sender === null ? null : { fields: fields.of(sender), columns: columns.of(sender) };
  return {
    source,
    tenant: sender,
    values: refused,
    fields: fields.count,
    columns: columns.count,
    fields_of_tenant: ofTenant?.fields ?? null,
    columns_of_tenant: ofTenant?.columns ?? null,
  };
}

/** Type of a field as a source declares it. */
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
