/** Children of expressions, for all traversals. A subquery's plan is not a child: it has rows of its own. */
import type { AggregateExpr, CaseExpr, Expr, SortExpr, WindowExpr } from './expression';

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
      return partsOfCase(expr);
    case 'cast':
    case 'redacted':
    case 'in-subquery':
      return [expr.operand];
    case 'aggregate':
      return expr.orderBy.length === 0 && expr.over === null ? expr.args : partsOfAggregate(expr);
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

function partsOfCase({ branches, otherwise }: CaseExpr): readonly Expr[] {
  const parts: Expr[] = [];
  for (const { when, then } of branches) parts.push(when, then);
  if (otherwise !== null) parts.push(otherwise);
  return parts;
}

function partsOfAggregate({ args, orderBy, over }: AggregateExpr): readonly Expr[] {
  return [...args, ...sorted(orderBy), ...(over === null ? [] : windowParts(over))];
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

/** Whether the expression is a value of its own, such as a column. */
export function isLeaf({ kind }: Expr): boolean {
  return kind === 'column' || kind === 'literal' || kind === 'bound' || kind === 'now' || kind === 'lazy-record';
}

/** Sizes are computed once for each larger node: they are asked for at every level of a tree. */
const sizes = new WeakMap<Expr, number>();

/** Maximum size that is faster to compute again than to remember. */
const SMALL_SIZE = 16;

export function isSmall(expr: Expr): boolean {
  return sizeOf(expr) <= SMALL_SIZE;
}

/**
 * Number of nodes that a traversal visits. Nodes may be shared (the operand of a CASE is part of each branch), so the
 * number can be exponential in the length of the text; computing it is linear.
 */
export function sizeOf(expr: Expr): number {
  if (expr.kind === 'column') return expr.size ?? 1;
  if (isLeaf(expr)) return 1;
  const known = sizes.get(expr);
  if (known !== undefined) return known;
  let size = 1;
  for (const part of children(expr)) size += sizeOf(part);
  if (size > SMALL_SIZE) sizes.set(expr, size);
  return size;
}
