/** Parts of an expression that have one value for all rows, and may be NULL. */
import { children } from '../../walk/children';
import type { Expr } from '../../expression';

/** Whether a store may find that the expression is NULL before it reads a row, as `x > NULL` is. */
export function mayFoldToNull(expr: Expr): boolean {
  switch (expr.kind) {
    case 'literal':
      return expr.value === null;
    case 'bound':
      return expr.value.value === null;
    case 'column':
    case 'lazy-record':
    case 'element':
    case 'now':
      return false;
    case 'subquery':
    case 'in-subquery':
      return true;
    default:
      return !readsColumn(expr) || children(expr).some(mayFoldToNull);
  }
}

/** Whether the expression reads a row, outside of its subqueries. */
export function readsColumn(expr: Expr): boolean {
  return READS.has(expr.kind) || children(expr).some(readsColumn);
}

const READS: ReadonlySet<Expr['kind']> = new Set(['column', 'lazy-record', 'element'] as const);
