/**
 * Where in the caller's text an operation was written, so that a failure of a run has a place. Kept beside the
 * expressions: expressions of different places are equal.
 */
import type { Expression, SourcePosition } from '../ast';
import type { Site } from '../ast/site';
import { children, isLeaf, isSmall } from './walk/children';
import type { Expr } from './expression';
import { mayFail } from './passes/conditions/may-fail';

const sites = new WeakMap<Expr, Site>();

export function siteOf(expr: Expr): Site | undefined {
  return sites.get(expr);
}

/** An expression that replaces another. */
export function atSiteOf<E extends Expr>(before: Expr, after: E): E {
  const site = sites.get(before);
  if (site !== undefined) sites.set(after, site);
  return after;
}

/** Gives an expression, and all parts of it, the places of an equal one. */
export function copySites(from: Expr, to: Expr): void {
  const site = sites.get(from);
  if (site === undefined) sites.delete(to);
  else sites.set(to, site);
  const parts = children(to);
  for (const [index, part] of children(from).entries()) if (parts[index]) copySites(part, parts[index]);
}

/** Marks the operations that an expression of the text became. Those of its operands have places of their own. */
export function markSite(expr: Expr, expression: Expression): void {
  const name = nameOf(expression);
  if (name === null) return;
  const { line, column } = expression.position;
  mark(expr, { name, line, column, expression });
}

/** Marks one operator of a chain, which is one expression of the text. */
export function markOperator(expr: Expr, name: string, { line, column }: SourcePosition): void {
  mark(expr, { name, line, column });
}

function mark(expr: Expr, site: Site): void {
  if (isLeaf(expr)) return;
  // Only failures have places. Small operations that never fail are faster to pass again than to remember.
  if (mayFail(expr) || !isSmall(expr)) {
    if (sites.has(expr)) return;
    sites.set(expr, site);
  }
  for (const child of children(expr)) mark(child, site);
}

function nameOf(expression: Expression): string | null {
  switch (expression.kind) {
    case 'call':
      return expression.safe ? `SAFE.${expression.name}` : expression.name;
    case 'cast':
      return expression.safe ? 'SAFE_CAST' : 'CAST';
    case 'extract':
      return 'EXTRACT';
    case 'binary':
    case 'unary':
      return expression.operator;
    case 'like':
      return 'LIKE';
    case 'index':
      return 'the index';
    case 'subquery':
      return 'the subquery';
    default:
      return null;
  }
}
