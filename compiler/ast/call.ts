import type { CallExpression, Expression } from './expressions';
import type { SourcePosition } from './node';

/** A call without DISTINCT, clauses in its parentheses, and `*`. */
export const NO_MODIFIERS = {
  star: false,
  distinct: false,
  nulls: null,
  where: null,
  having: null,
  groups: null,
  orderBy: [],
  limit: null,
} as const satisfies Partial<CallExpression>;

/** A call of a function without modifiers and OVER, as the compiler writes it. */
export function callExpression(name: string, args: readonly Expression[], position: SourcePosition): CallExpression {
  return { kind: 'call', name, namePosition: position, safe: false, args, ...NO_MODIFIERS, over: null, position };
}
