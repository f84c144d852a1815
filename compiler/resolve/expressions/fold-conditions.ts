/**
 * Constant folding of conditions: guards that depend only on parameters and literals are removed before printing, so
 * that bounds can prune and grouped expressions stay simple. Follows three-valued logic.
 */
import { type Constant, constantOf } from '../../ir/constant';
import type { CallExpr, CaseExpr, Expr, LiteralExpr } from '../../ir/expression';
import { BOOL, type Type } from '../../ir/types';
import { callOf, isCall } from '../../ir/operations/call';

export const TRUE: LiteralExpr = { kind: 'literal', type: BOOL, value: true };
export const FALSE: LiteralExpr = { kind: 'literal', type: BOOL, value: false };

/** NULL of the given type. */
export function nullOf(type: Type): LiteralExpr {
  return { kind: 'literal', type, value: null };
}

function bool(value: boolean | null): LiteralExpr {
  return value === null ? nullOf(BOOL) : value ? TRUE : FALSE;
}

/** n-ary AND: a constant false decides, constant trues are dropped. */
export function foldAnd(args: readonly Expr[]): Expr {
  return foldJunction('and', args, false);
}

/** Conditions of a folded AND, of which each must hold; none for TRUE. */
export function conjuncts(condition: Expr): Expr[] {
  if (condition.kind === 'literal' && condition.value === true) return [];
  return isCall(condition, 'and') ? [...condition.args] : [condition];
}

/** n-ary OR: a constant true decides, constant falses are dropped. */
export function foldOr(args: readonly Expr[]): Expr {
  return foldJunction('or', args, true);
}

function foldJunction(fn: 'and' | 'or', args: readonly Expr[], deciding: boolean): Expr {
  const kept: Expr[] = [];
  for (const arg of args) {
    const constant = constantOf(arg);
    if (constant?.value === deciding) return bool(deciding);
    if (constant?.value === !deciding) continue;
    if (arg.kind === 'call' && arg.fn === fn) kept.push(...arg.args);
    else kept.push(arg);
  }
  const [first, ...others] = kept;
  if (first === undefined) return bool(!deciding);
  if (others.length === 0) return first;
  if (kept.every((arg) => constantOf(arg)?.value === null)) return nullOf(BOOL);
  return callOf(fn, [first, ...others], BOOL);
}

export function foldNot(arg: Expr): Expr {
  const constant = constantOf(arg);
  if (constant !== undefined) return bool(constant.value === null ? null : !constant.value);
  return callOf('not', [arg], BOOL);
}

/** Searched CASE: drops branches that are never taken and ends at one that always is. */
export function foldCase(expr: CaseExpr): Expr {
  const branches: CaseExpr['branches'][number][] = [];
  let { otherwise } = expr;
  for (const branch of expr.branches) {
    const constant = constantOf(branch.when);
    if (constant === undefined) branches.push(branch);
    else if (constant.value === true) {
      otherwise = branch.then;
      break;
    }
  }
  if (branches.length === 0) return otherwise ?? nullOf(expr.type);
  return { ...expr, branches, otherwise };
}

/** `STRPOS(x, y) > 0` becomes a test for containment, which stores evaluate faster. */
function asContains(expr: CallExpr): Expr | undefined {
  const [left, right] = expr.args;
  if (left === undefined || !isCall(left, 'strpos') || right?.kind !== 'literal') return undefined;
  const [text, part] = left.args;
  const isPresence =
    ((expr.fn === 'gt' || expr.fn === 'ne') && right.value === 0n) || (expr.fn === 'ge' && right.value === 1n);
  return isPresence && text !== undefined && part !== undefined ? callOf('contains', [text, part], BOOL) : undefined;
}

/** Folds comparisons, NULL tests and IN lists of constants of one type. */
export function foldComparison(expr: CallExpr): Expr {
  const contains = asContains(expr);
  if (contains !== undefined) return contains;
  const values: Constant[] = [];
  for (const arg of expr.args) {
    const constant = constantOf(arg);
    if (constant === undefined) return expr;
    values.push(constant.value);
  }
  const [a = null, b = null] = values;
  switch (expr.fn) {
    case 'is_null':
      return bool(a === null);
    case 'is_not_null':
      return bool(a !== null);
    case 'is_true':
      return bool(a === true);
    case 'is_false':
      return bool(a === false);
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge': {
      const order = compare(a, b);
      return order === undefined ? expr : bool(order === null ? null : holds(expr.fn, order));
    }
    case 'between': {
      const [from, to] = [compare(a, b), compare(a, values[2] ?? null)];
      if (from === undefined || to === undefined) return expr;
      return foldAnd([bool(from === null ? null : from >= 0), bool(to === null ? null : to <= 0)]);
    }
    case 'in_list': {
      const orders = values.slice(1).map((item) => compare(a, item));
      if (orders.includes(undefined)) return expr;
      return bool(orders.includes(0) ? true : orders.includes(null) ? null : false);
    }
    default:
      return expr;
  }
}

function holds(fn: 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge', order: number): boolean {
  switch (fn) {
    case 'eq':
      return order === 0;
    case 'ne':
      return order !== 0;
    case 'lt':
      return order < 0;
    case 'le':
      return order <= 0;
    case 'gt':
      return order > 0;
    case 'ge':
      return order >= 0;
  }
}

/** Null when either side is NULL; undefined when the store must decide the order (NaN). */
function compare(a: Constant, b: Constant): number | null | undefined {
  if (a === null || b === null) return null;
  if (typeof a === 'string' && typeof b === 'string') {
    if (a === b) return 0;
    // All stores order text by bytes, which equals the order of code points.
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  if (Number.isNaN(a) || Number.isNaN(b)) return undefined;
  // bigint and number compare by value with < and >, not with ===.
  const [x, y] = [a, b] as [number, number];
  return x < y ? -1 : x > y ? 1 : 0;
}
