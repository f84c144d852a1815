/** Binds values to names with a lambda over an array of one. */
import type { Expr } from '../../ir/expression';
import { bindOnceIn } from '../bind-once';

const named = (value: string, body: string): string => `arrayElement(arrayMap(v -> ${body}, [${value}]), 1)`;

export const bindOnce = bindOnceIn({
  bind: named,
  pack: (values) => `tuple(${values.join(', ')})`,
  packed: (index) => `v.${index + 1}`,
});

/** Like `bindOnce`, for one operand that the dialect itself printed. */
export function nameOnce(sql: string, body: (name: string) => string): string {
  return named(sql, body('v'));
}

/** Calls `body` with a short text for an operand, which it may repeat. */
export function nameOperand(sql: string, expr: Expr | undefined, body: (name: string) => string): string {
  if (expr === undefined) throw new Error('an operand is missing');
  return bindOnce([{ sql, expr }], (name) => body(name as string));
}
