import type { Value } from './function';

/** `[]`, which takes the type of any array. As records it is the same as absent ones, but it is not NULL. */
export function isEmptyList({ expr, type }: Value): boolean {
  return expr.kind === 'array' && expr.items.length === 0 && type.kind === 'ARRAY' && type.element.kind === 'NULL';
}
