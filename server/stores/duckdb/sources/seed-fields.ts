/** Fields of a new store before its first event, so that restored events get the kinds and types that they had. */
import type { StoredField } from '#contract/control';
import type { Source } from '#contract/events/source';
import { declareFields } from '../../ingest/fields/declared-fields';
import { type FieldNode, FieldTree } from '../../ingest/fields/field-tree';
import { type DatabaseOptions, openDatabase } from '../file/database';
import { NUMBERED_NAMES } from '../tables/field-name';
import { createFieldRegistry, saveFields } from './field-registry';
import { maxColumnsFor } from './column-memory';
import { commonColumns } from './source-state';

/** @param fields by source, a path before the paths below it */
export async function seedFields(
  options: DatabaseOptions,
  sources: readonly Source[],
  fields: Readonly<Record<string, readonly StoredField[]>>
): Promise<void> {
  const database = await openDatabase(options);
  try {
    const connection = await database.connect();
    await createFieldRegistry(connection);
    for (const source of sources) {
      await saveFields(
        connection,
        source.name,
        fieldNodes(source, fields[source.name] ?? [], maxColumnsFor(options.memoryLimitMb))
      );
    }
    connection.closeSync();
  } finally {
    database.close();
  }
}

function fieldNodes(source: Source, fields: readonly StoredField[], maxColumns: number): readonly FieldNode[] {
  const tree = new FieldTree(commonColumns(source), NUMBERED_NAMES, maxColumns);
  declareFields(tree, source.fields);
  return fields.flatMap(({ path, kind, type, has_column, tenant = null }) => {
    if (!has_column || kind === 'empty') return tree.restore(path, { kind, type, column: null, misfits: 0, tenant });
    // A new batch for each field: the limit for one batch does not apply to fields that have a column already.
    tree.beginBatch();
    let node = tree.root;
    for (const key of path) node = tree.findOrAdd(node, key) ?? node;
    if (node.kind === 'empty') tree.settle(node, kind, type);
    if (node === tree.root) return [];
    tree.assign(node, tenant);
    return node;
  });
}
