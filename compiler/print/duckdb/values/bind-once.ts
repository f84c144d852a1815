/** Binds values to names with a lambda over a list of one. */
import { structPack } from './struct-pack';
import { bindOnceIn } from '../../dialect/bind-once';
import { forLambda } from './for-lambda';

export const bindOnce = bindOnceIn({
  bind: (value, body) => `list_extract(list_transform(${forLambda(`[${value}]`)}, lambda v: ${body}), 1)`,
  pack: (values) => structPack(values.map((sql, index) => [`a${index}`, sql])),
  packed: (index) => fieldOf('v', `a${index}`),
});

/** A field of a lambda parameter. In HAVING, DuckDB reads `v.a0` as a column. */
export function fieldOf(name: string, field: string): string {
  return `struct_extract(${name}, '${field}')`;
}

/** Like `bindOnce`, for one operand that the dialect itself printed. */
export function nameOnce(sql: string, body: (name: string) => string): string {
  return `list_extract(list_transform(${forLambda(`[${sql}]`)}, lambda v: ${body('v')}), 1)`;
}
