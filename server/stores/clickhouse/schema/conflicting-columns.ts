/**
 * Columns of declared fields whose events have another type. Servers refuse such a declaration, and a column that was
 * made for it would stay in the way of the right one.
 */
import type { Source } from '#contract/events/source';
import { declareFields, type TypeConflict, typeConflicts } from '../../ingest/fields/declared-fields';
import type { FieldFact } from '../../ingest/fields/field-fact';
import { FieldTree } from '../../ingest/fields/field-tree';
import { SPELLED_NAMES } from './field-name';
import { restoreFields } from './field-registry';
import { columnFields, commonColumns, declaredTree } from './layout';

/** @returns conflicts by the name of their column; those of fields without a column are left out */
export function conflictingColumns(source: Source, facts: readonly FieldFact[]): ReadonlyMap<string, TypeConflict> {
  const tree = new FieldTree(commonColumns(source), SPELLED_NAMES);
  restoreFields(tree, facts);
  declareFields(tree, source.fields);
  const conflicts = new Map(typeConflicts(tree, source).map((conflict) => [conflict.path, conflict]));
  const found = new Map<string, TypeConflict>();
  for (const node of columnFields(declaredTree(source).root)) {
    const conflict = conflicts.get(node.path().join('.'));
    if (conflict !== undefined) found.set(node.column!, conflict);
  }
  return found;
}
