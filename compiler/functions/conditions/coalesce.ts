import { isEmptyList } from '../empty-list';
import { callValue, checkCount, sharedText, valueOf } from '../arguments';
import type { CallContext, FunctionSpec, Value } from '../function';
import type { CallExpression } from '../../ast';
import { itemAt } from '../../items';

export const coalesce: FunctionSpec = {
  names: ['COALESCE'],
  kind: 'scalar',
  safe: true,
  usage: 'COALESCE(value, ...)',
  summary: 'The first value that is not NULL.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, coalesce.usage, 1, Infinity);
    return firstPresent(call, ctx);
  },
};

export const ifnull: FunctionSpec = {
  names: ['IFNULL'],
  kind: 'scalar',
  safe: true,
  usage: 'IFNULL(value, instead)',
  summary: 'The value, or the other one when it is NULL.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, ifnull.usage, 2);
    return firstPresent(call, ctx);
  },
};

/** Drops constant NULLs, and everything after the first constant that is not NULL. */
function firstPresent(call: CallExpression, ctx: CallContext): Value {
  const resolved = call.args.map((arg) => ctx.resolve(arg));
  const unified = ctx.unify(resolved, `the arguments of ${call.name}`);
  const { type } = unified;
  const kept: Value[] = [];
  for (const [index, value] of unified.values.entries()) {
    if (isEmptyList(itemAt(resolved, index))) {
      kept.push(value);
      break;
    }
    const constant = ctx.constant(value);
    if (constant?.value === null) continue;
    kept.push({ ...value, expr: ctx.materialize(value) });
    if (constant !== undefined) break;
  }
  const text = sharedText(unified.values);
  const [first] = kept;
  if (first === undefined) return { ...valueOf(call, { kind: 'literal', type, value: null }), text };
  if (kept.length === 1) return { ...first, text, position: call.position };
  return { ...callValue(call, 'coalesce', kept, type), text };
}
