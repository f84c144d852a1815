/**
 * PERCENTILE_CONT and PERCENTILE_DISC. GoogleSQL supports them with OVER only; here they are also aggregates of groups.
 */
import type { CallExpression } from '../../ast';
import { NO_OPTIONS } from '../../ir/operations/ops';
import { FLOAT64, isScalar, shortTypeName, type Type } from '../../ir/types';
import { argumentName, checkCount, requiredConstant, numericValue } from '../arguments';
import type { CallContext, FunctionSpec, Value } from '../function';
import { aggregated, aggregateValue, checkModifiers } from './aggregate';

export const percentileCont: FunctionSpec = {
  names: ['PERCENTILE_CONT'],
  kind: 'aggregate',
  safe: false,
  usage: 'PERCENTILE_CONT(value, fraction) [OVER (PARTITION BY key)]',
  summary:
    'The value below which a fraction (0 to 1) of the values lies, reckoned between the two nearest; NULL is left out.',
  resolve: (call, ctx) => {
    checkCall(call, ctx, percentileCont.usage);
    const value = ctx.coerce(numericValue(aggregated(call, ctx, 0), ctx, argumentName(call, 0)), FLOAT64, call.name);
    const at = fractionOf(call, ctx);
    return at === null ? nothing(call, FLOAT64) : aggregateValue(call, 'quantile_cont', [value.expr], FLOAT64, { at });
  },
};

export const percentileDisc: FunctionSpec = {
  names: ['PERCENTILE_DISC'],
  kind: 'aggregate',
  safe: false,
  usage: 'PERCENTILE_DISC(value, fraction) [OVER (PARTITION BY key)]',
  summary: 'The first value that a fraction (0 to 1) of the values does not lie above; NULL is left out.',
  resolve: (call, ctx) => {
    checkCall(call, ctx, percentileDisc.usage);
    const value = aggregated(call, ctx, 0);
    if (!isScalar(value.type) || value.type.kind === 'NULL' || value.type.kind === 'BOOL') {
      ctx.fail('type_mismatch', `${argumentName(call, 0)} cannot be ${shortTypeName(value.type)}`, value.position);
    }
    const at = fractionOf(call, ctx);
    if (at === null) return nothing(call, value.type);
    return aggregateValue(call, 'quantile', [value.expr], value.type, { k: at, n: 1 });
  },
};

function checkCall(call: CallExpression, ctx: CallContext, usage: string): void {
  checkCount(call, ctx, usage, 2);
  checkModifiers(call, ctx, usage, ['NULLS']);
  if (call.nulls === 'RESPECT') {
    ctx.fail('not_supported', `${call.name} with RESPECT NULLS is not supported`, call.namePosition);
  }
  if (call.over !== null && (call.over.orderBy.length > 0 || call.over.frame !== null)) {
    ctx.fail('wrong_arguments', `${call.name} takes no ORDER BY in OVER`, call.over.position, `write ${usage}`);
  }
}

/** @throws not_constant, wrong_arguments */
function fractionOf(call: CallExpression, ctx: CallContext): number | null {
  const value = ctx.coerce(aggregated(call, ctx, 1), FLOAT64, argumentName(call, 1));
  const constant = requiredConstant(value, ctx, argumentName(call, 1));
  if (constant === null) return null;
  if (typeof constant === 'number' && constant >= 0 && constant <= 1) return constant;
  return ctx.fail('wrong_arguments', `${argumentName(call, 1)} must be a number from 0 to 1`, value.position);
}

/** Remains an aggregate, so that the block still returns one row per group. */
function nothing(call: CallExpression, type: Type): Value {
  return aggregateValue(call, 'any_value', [{ kind: 'literal', type, value: null }], type, NO_OPTIONS);
}
