/** The parts of expressions, for every walk over them. A subquery's plan is not a part: it has rows of its own. */
import type { ColumnExpr, Expr, SortExpr, WindowExpr } from './expression';

/** The direct parts of an expression, in the order they are written. */
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

/** True when the expression or a part of it, at any depth, is one that is looked for. */
export function some(expr: Expr, isWanted: (part: Expr) => boolean): boolean {
  return isWanted(expr) || children(expr).some((child) => some(child, isWanted));
}

const sizes = new WeakMap<Expr, number>();

/** A column of a query counts as the expression behind it: a store may write that out in its place. */
export function countAs(column: ColumnExpr, size: number): ColumnExpr {
  sizes.set(column, size);
  return column;
}

/**
 * How many nodes a walk over the expression meets. Parts may be shared (the operand of a CASE stands in each of its branches), so this can
 * be exponential in the length of the text; computing it is linear.
 */
export function sizeOf(expr: Expr): number {
  let size = sizes.get(expr);
  if (size === undefined) {
    size = children(expr).reduce((sum, child) => sum + sizeOf(child), 1);
    sizes.set(expr, size);
  }
  return size;
}
