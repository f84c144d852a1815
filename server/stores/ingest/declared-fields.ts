/**
 * Adds the fields that `sources.yaml` declares to a tree. Fields of events that came before the declaration keep their
 * kind.
 */
import type { ScalarType, Source } from '#contract/source';
import type { FieldNode, FieldTree } from './field-tree';

type DeclaredType = Source['fields'][string];

export function declareFields(tree: FieldTree, fields: Source['fields']): void {
  const declared = Object.entries(fields).map(([path, type]) => ({ path: path.split('.'), type }));
  // A list of records comes before the fields in it, which would otherwise create a single record.
  declared.sort((a, b) => a.path.length - b.path.length);
  for (const { path, type } of declared) declareField(tree, path, type);
}

function declareField(tree: FieldTree, path: readonly string[], type: DeclaredType): void {
  const parents = path.slice(0, -1);
  let node: FieldNode | null = tree.root;
  for (const key of parents) {
    node = declareNode(tree, node, key, 'record', null);
    if (node === null) return;
  }
  const key = path[path.length - 1]!;
  if (type === 'ARRAY<STRUCT>') declareNode(tree, node, key, 'records', null);
  else if (type.startsWith('ARRAY<')) declareNode(tree, node, key, 'list', type.slice(6, -1) as ScalarType);
  else declareNode(tree, node, key, 'leaf', type as ScalarType);
}

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
  node.isDeclared = true;
  return node;
}
