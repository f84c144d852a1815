import type { FromPlan, RelationPlan } from '../plan';

/** The relation of FROM with this id. */
export function relationOf(id: number, from: FromPlan): RelationPlan | undefined {
  if (from.kind === 'relation') return from.id === id ? from : undefined;
  return relationOf(id, from.left) ?? relationOf(id, from.right);
}
