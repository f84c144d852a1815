import { isOrdered, shortTypeName } from '../../ir/types';
import { callValue, checkCount } from '../arguments';
import type { FunctionSpec } from '../function';

export const greatest = extreme('GREATEST', 'greatest', 'The largest value; NULL when any is NULL.');
export const least = extreme('LEAST', 'least', 'The smallest value; NULL when any is NULL.');

function extreme(name: string, fn: 'greatest' | 'least', summary: string): FunctionSpec {
  const usage = `${name}(value, ...)`;
  return {
    names: [name],
    kind: 'scalar',
    safe: true,
    usage,
    summary,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 1, Infinity);
      const resolved = call.args.map((arg) => ctx.resolve(arg));
      const { type, values } = ctx.unify(resolved, `the arguments of ${name}`);
      if (!isOrdered(type))
        ctx.fail('type_mismatch', `${name} cannot compare ${shortTypeName(type)} values`, call.position);
      return callValue(call, fn, values, type);
    },
  };
}
