/** Adds the fields that a source declares to a tree, and finds those that are stored with another type. */
import { ServiceError } from '#contract/errors';
import { isKeyOf } from '#contract/records';
import type { ScalarType, Source } from '#contract/events/source';
import { typeName } from './describe-fields';
import type { FieldNode, FieldTree } from './field-tree';

type DeclaredType = Source['fields'][string];

/** Fields that are stored keep their kind and type. Declared ones are listed before others. */
export function declareFields(tree: FieldTree, fields: Source['fields']): void {
  const declared = Object.entries(fields).map(([path, type]) => ({ path: path.split('.'), type }));
  // A list of records comes before the fields in it, which would otherwise create a single record.
  declared.sort((a, b) => a.path.length - b.path.length);
  const nodes = new Set<FieldNode>();
  for (const { path, type } of declared) for (const node of declareField(tree, path, type)) nodes.add(node);
  tree.listFirst(nodes);
}

/** @returns the field and the records above it, from the top, as far as events have given the path no other kind */
function* declareField(tree: FieldTree, path: readonly string[], type: DeclaredType): Generator<FieldNode> {
  const parents = path.slice(0, -1);
  let node: FieldNode | null = tree.root;
  for (const key of parents) {
    node = declareNode(tree, node, key, 'record', null);
    if (node === null) return;
    yield node;
  }
  const key = path[path.length - 1]!;
  if (type === 'ARRAY<STRUCT>') node = declareNode(tree, node, key, 'records', null);
  else if (isKeyOf(ELEMENTS, type)) node = declareNode(tree, node, key, 'list', ELEMENTS[type]);
  else node = declareNode(tree, node, key, 'leaf', type);
  if (node !== null) yield node;
}

const ELEMENTS = {
  'ARRAY<STRING>': 'STRING',
  'ARRAY<INT64>': 'INT64',
  'ARRAY<FLOAT64>': 'FLOAT64',
  'ARRAY<BOOL>': 'BOOL',
} as const satisfies Partial<Record<DeclaredType, ScalarType>>;

/** @returns null when events have given the path another kind. */
function declareNode(
  tree: FieldTree,
  parent: FieldNode,
  key: string,
  kind: 'leaf' | 'list' | 'record' | 'records',
  type: ScalarType | null
): FieldNode | null {
  const node = tree.findOrAdd(parent, key);
  if (node === null) return null;
  if (node.kind === 'empty') tree.settle(node, kind, type);
  const isRecord = kind === 'record' && (node.kind === 'record' || node.kind === 'records');
  if (node.kind !== kind && !isRecord) return null;
  tree.declare(node);
  return node;
}

/** What to do about a declaration with other types than those of stored events. */
export const STORED_TYPES_HINT =
  'declare the stored type; or delete the source with its events (events=delete) and create it again, after its ' +
  'restoration where it was deleted without them';
const WIDEN_HINT = 'send an event with a fraction, like 1.5, which makes the whole field FLOAT64; then declare it';

/** Maximum fields that an error names. */
const MAX_NAMED = 5;

/** A declared field whose events are stored with another type. */
export interface TypeConflict {
  readonly path: string;
  readonly declared: string;
  readonly stored: string;
}

/** @param tree with the stored and the declared fields */
export function typeConflicts(tree: FieldTree, { fields }: Pick<Source, 'fields'>): readonly TypeConflict[] {
  return Object.entries(fields).flatMap(([path, declared]) => {
    const stored = storedType(tree, path.split('.'));
    return stored === null || stored === declared ? [] : [{ path, declared, stored }];
  });
}

/**
 * A stored field has one type: with another declaration, its events would read as NULL without a word.
 * @param tree with the stored and the declared fields
 * @throws ServiceError `definition_invalid`
 */
export function ensureDeclaredTypes(tree: FieldTree, source: Pick<Source, 'name' | 'fields'>): void {
  const conflicts = typeConflicts(tree, source);
  if (conflicts.length === 0) return;
  const problems = conflicts.map(
    ({ path, declared, stored }) => `"${path}" is declared as ${declared} and stored as ${stored}`
  );
  const canWiden = conflicts.every(({ declared, stored }) => declared === 'FLOAT64' && stored === 'INT64');
  const more = problems.length > MAX_NAMED ? ` and ${problems.length - MAX_NAMED} more` : '';
  throw new ServiceError(
    'definition_invalid',
    `Fields of the source ${source.name} have another type than their stored events: ${problems.slice(0, MAX_NAMED).join('; ')}${more}.`,
    { hint: canWiden ? WIDEN_HINT : STORED_TYPES_HINT }
  );
}

/** Null: no event has brought the field, or it is at the limit of fields. */
function storedType(tree: FieldTree, path: readonly string[]): string | null {
  let node: FieldNode | null = tree.root;
  for (const [depth, key] of path.entries()) {
    node = tree.find(node, key);
    if (node === null || node.kind === 'empty') return null;
    const isValue = node.kind === 'leaf' || node.kind === 'list';
    if (isValue && depth < path.length - 1) return `${typeName(node)} "${path.slice(0, depth + 1).join('.')}"`;
  }
  return node.isStored ? typeName(node) : null;
}
