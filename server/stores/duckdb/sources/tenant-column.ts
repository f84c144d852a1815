import { tenantPlaceOf } from '#contract/events/source';
import type { SourceState } from './source-state';

/** Column with the tenant of an event; null: no such column. */
export function tenantColumn({ source, tree }: SourceState): string | null {
  const place = tenantPlaceOf(source);
  if (place === null) return null;
  if ('column' in place) return place.column;
  let node = tree.root;
  for (const key of place.path) {
    const child = tree.find(node, key);
    if (child === null) return null;
    node = child;
  }
  return node.column;
}
