/** Binds values to names with a lambda over an array of one. */
import { bindOnceIn } from '../../dialect/bind-once';

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
