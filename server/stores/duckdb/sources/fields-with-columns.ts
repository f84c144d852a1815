import type { FieldNode } from '../../ingest/fields/field-tree';

/** Every field below a record that has a column and was seen in an event. */
export function* fieldsWithColumns(record: FieldNode): Generator<FieldNode & { readonly column: string }> {
  for (const child of record.byKey.values()) {
    if (hasColumn(child) && child.isStored) yield child;
    yield* fieldsWithColumns(child);
  }
}

function hasColumn(node: FieldNode): node is FieldNode & { readonly column: string } {
  return node.column !== null;
}
