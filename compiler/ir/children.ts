/** Children of expressions, for all traversals. A subquery's plan is not a child: it has rows of its own. */
import type { Expr, SortExpr, WindowExpr } from './expression';

/** Direct children in the order in which they are written. */
export function children(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'literal':
    case 'now':
    case 'bound':
    case 'column':
    case 'lazy-record':
    case 'subquery':
    case 'element':
      return [];
    case 'call':
      return expr.args;
    case 'case':
      return [
        ...expr.branches.flatMap(({ when, then }) => [when, then]),
        ...(expr.otherwise === null ? [] : [expr.otherwise]),
      ];
    case 'cast':
    case 'redacted':
    case 'in-subquery':
      return [expr.operand];
    case 'aggregate':
      return [...expr.args, ...sorted(expr.orderBy), ...(expr.over === null ? [] : windowParts(expr.over))];
    case 'lambda':
      return [expr.body];
    case 'array':
      return expr.items;
    case 'struct':
      return expr.fields.map((field) => field.expr);
    case 'struct-field':
    case 'json-field':
      return [expr.base];
  }
}

function sorted(items: readonly SortExpr[]): readonly Expr[] {
  return items.map((item) => item.expr);
}

function windowParts(over: WindowExpr): readonly Expr[] {
  return [...over.partitionBy, ...sorted(over.orderBy)];
}

/** Whether the expression or any descendant satisfies the predicate. */
export function some(expr: Expr, isWanted: (part: Expr) => boolean): boolean {
  return isWanted(expr) || children(expr).some((child) => some(child, isWanted));
}

/** Sizes are computed once for each node: they are asked for at every level of a tree. */
const sizes = new WeakMap<Expr, number>();

/**
 * Number of nodes that a traversal visits. Nodes may be shared (the operand of a CASE is part of each branch), so the
 * number can be exponential in the length of the text; computing it is linear.
 */
export function sizeOf(expr: Expr): number {
  if (expr.kind === 'column' && expr.size !== undefined) return expr.size;
  let size = sizes.get(expr);
  if (size === undefined) {
    size = children(expr).reduce((sum, child) => sum + sizeOf(child), 1);
    sizes.set(expr, size);
  }
  return size;
}
