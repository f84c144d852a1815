/** MAX_BY and MIN_BY: the value of the row in which another is the largest or smallest. */
import { NO_OPTIONS } from '../../ir/ops';
import { isOrdered, shortTypeName } from '../../ir/types';
import { argumentName, checkCount } from '../arguments';
import type { FunctionSpec } from '../function';
import { aggregated, aggregateValue, checkModifiers } from './aggregate';

export const maxBy = extremeBy('MAX_BY', 'max_by', 'largest');
export const minBy = extremeBy('MIN_BY', 'min_by', 'smallest');

function extremeBy(name: string, fn: 'max_by' | 'min_by', which: string): FunctionSpec {
  const usage = `${name}(value, key)`;
  return {
    names: [name],
    kind: 'aggregate',
    safe: true,
    usage,
    summary: `The value of the row whose key is the ${which}; rows without a key are left out.`,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 2);
      checkModifiers(call, ctx, usage, []);
      const value = aggregated(call, ctx, 0);
      const key = aggregated(call, ctx, 1);
      if (!isOrdered(key.type)) {
        ctx.fail('type_mismatch', `${argumentName(call, 1)} cannot be ${shortTypeName(key.type)}`, key.position);
      }
      return aggregateValue(call, fn, [ctx.materialize(value), key.expr], value.type, NO_OPTIONS);
    },
  };
}
