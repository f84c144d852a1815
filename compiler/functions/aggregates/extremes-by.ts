/** MAX_BY and MIN_BY: the value of the row in which another is the largest or smallest. */
import type { CallExpression } from '../../ast';
import { callOf } from '../../ir/operations/call';
import type { Expr } from '../../ir/expression';
import { NO_OPTIONS } from '../../ir/operations/ops';
import { BOOL, isOrdered, shortTypeName } from '../../ir/types';
import { argumentName, checkCount } from '../arguments';
import type { FunctionSpec, Value } from '../function';
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
      const found = aggregateValue(call, fn, [ctx.materialize(value), key.expr], value.type, NO_OPTIONS);
      return key.type.kind === 'FLOAT64' ? { ...found, expr: nullForNan(call, key, found) } : found;
    },
  };
}

/** The largest and smallest of keys with a NaN is NaN, which no key equals: no row is found, as in GoogleSQL. */
function nullForNan(call: CallExpression, key: Value, found: Value): Expr {
  const hasNan = aggregateValue(call, 'logical_or', [callOf('is_nan', [key.expr], BOOL)], BOOL, NO_OPTIONS);
  const nothing: Expr = { kind: 'literal', type: found.type, value: null };
  const branch = { when: hasNan.expr, then: nothing };
  return { kind: 'case', branches: [branch], otherwise: found.expr, type: found.type };
}
