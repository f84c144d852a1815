/**
 * Large operands that an expression needs several times, such as the value of CASE or of LIKE ANY, are computed once:
 * without it, nested expressions would double the statement with each level.
 */
import type { Expr } from '../../../ir/expression';
import { isCall } from '../../../ir/operations/call';
import { computedOnce } from '../../../ir/operations/lambda';
import { atSiteOf } from '../../../ir/sites';
import { children, isLeaf, sizeOf, some, withChildren } from '../../../ir/walk/children';

/** Operands up to this size are repeated: stores compute equal parts once, and see columns in conditions. */
const MAX_REPEATED_SIZE = 32;

/**
 * @param isWritten whether the expression is one that the text has there, not a part of what an operation became
 * @returns the expression itself if it repeats no large operand
 */
export function withOperandsOnce(expr: Expr, isWritten: (part: Expr) => boolean): Expr {
  if (sizeOf(expr) <= 2 * MAX_REPEATED_SIZE || isWritten(expr)) return expr;
  const isOperand = (part: Expr): boolean => isWritten(part) && !isTakenApart(part);
  const { repeated, names } = repeatedOperands(expr, isOperand);
  if (repeated.length === 0) return expr;
  return computedOnce(repeated, names, (...read) => {
    const nameOf = new Map<Expr, Expr | undefined>(repeated.map((operand, index) => [operand, read[index]]));
    const replace = (part: Expr): Expr => {
      const name = nameOf.get(part);
      if (name !== undefined) return name;
      if (sizeOf(part) <= MAX_REPEATED_SIZE || isOperand(part)) return part;
      return atSiteOf(part, withChildren(part, replace));
    };
    return replace(expr);
  });
}

/** Functions read the items of a written list, and the fields of a written struct. */
function isTakenApart(expr: Expr): boolean {
  return expr.kind === 'array' || (expr.kind === 'struct' && expr.isKey !== true);
}

interface Repeated {
  readonly repeated: readonly Expr[];
  /** Names of the lambdas between the expression and its operands. */
  readonly names: ReadonlySet<string>;
}

const NONE: Repeated = { repeated: [], names: new Set() };

function repeatedOperands(expr: Expr, isOperand: (part: Expr) => boolean): Repeated {
  const counts = new Map<Expr, number>();
  const names = new Set<string>();
  let isMovable = true;
  let hasBranches = false;
  const visit = (part: Expr, isInside: boolean): void => {
    if (isLeaf(part) || !isMovable) return;
    if (isOperand(part)) {
      if (sizeOf(part) <= MAX_REPEATED_SIZE) isMovable = !some(part, isOfRows);
      else if (!isInside || !reads(part, names)) counts.set(part, (counts.get(part) ?? 0) + 1);
      return;
    }
    if (isOfRows(part)) isMovable = false;
    if (part.kind === 'case' || isCall(part, 'coalesce')) hasBranches = true;
    if (part.kind === 'lambda') for (const { name } of part.parameters) names.add(name);
    for (const child of children(part)) visit(child, isInside || part.kind === 'lambda');
  };
  visit(expr, false);
  const operands = [...counts.keys()].filter(({ kind }) => kind !== 'lambda');
  const repeated = operands.filter((part) => (counts.get(part) ?? 0) > 1);
  if (!isMovable || repeated.length === 0) return NONE;
  const others = operands.filter((part) => !repeated.includes(part));
  if (!others.some((part) => some(part, isForeign))) return { repeated, names };
  // What only some rows need must not be computed for all.
  return hasBranches ? NONE : { repeated: operands, names };
}

/** DuckDB takes twice the time for a lambda in a lambda. */
function isForeign(part: Expr): boolean {
  return part.kind === 'lambda' || isOfRows(part);
}

/** Stores run no queries and compute no aggregates in lambdas. */
function isOfRows({ kind }: Expr): boolean {
  return kind === 'subquery' || kind === 'in-subquery' || kind === 'aggregate';
}

/** Whether an expression reads parameters of lambdas around it. */
function reads(expr: Expr, names: ReadonlySet<string>): boolean {
  if (expr.kind === 'element') return names.has(expr.name);
  if (expr.kind !== 'lambda') return children(expr).some((child) => reads(child, names));
  const own = new Set(expr.parameters.map(({ name }) => name));
  const others = [...names].filter((name) => !own.has(name));
  return others.length > 0 && reads(expr.body, new Set(others));
}
