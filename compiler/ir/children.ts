/** Children of expressions, for all traversals. A subquery's plan is not a child: it has rows of its own. */
import type { ColumnExpr, Expr, SortExpr, WindowExpr } from './expression';

/** Direct children in the order in which they are written. */
export function children(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'literal':
    case 'bound':
    case 'column':
    case 'lazy-record':
    case 'subquery':
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

const sizes = new WeakMap<Expr, number>();

/** Counts a column of a query as large as the expression behind it, because a store may inline that expression. */
export function countAs(column: ColumnExpr, size: number): ColumnExpr {
  sizes.set(column, size);
  return column;
}

/**
 * Number of nodes that a traversal visits. Nodes may be shared (the operand of a CASE is part of each branch), so the
 * number can be exponential in the length of the text; computing it is linear.
 */
export function sizeOf(expr: Expr): number {
  let size = sizes.get(expr);
  if (size === undefined) {
    size = children(expr).reduce((sum, child) => sum + sizeOf(child), 1);
    sizes.set(expr, size);
  }
  return size;
}
