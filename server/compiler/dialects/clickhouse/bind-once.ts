/** Values named once, by a lambda over an array of one. */
import type { Expr } from '../../ir/expression';
import { bindOnceIn } from '../bind-once';

const named = (value: string, body: string): string => `arrayElement(arrayMap(v -> ${body}, [${value}]), 1)`;

export const bindOnce = bindOnceIn({
  bind: named,
  pack: (values) => `tuple(${values.join(', ')})`,
  packed: (index) => `v.${index + 1}`,
});

/** As `bindOnce`, for one operand that was made by the dialect itself. */
export function nameOnce(sql: string, body: (name: string) => string): string {
  return named(sql, body('v'));
}

/** `body` gets a short text for an operand, which it may use as often as it likes. */
export function nameOperand(sql: string, expr: Expr | undefined, body: (name: string) => string): string {
  if (expr === undefined) throw new Error('an operand is missing');
  return bindOnce([{ sql, expr }], (name) => body(name as string));
}
