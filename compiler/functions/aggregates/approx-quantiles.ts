/** APPROX_QUANTILES(x, n), and APPROX_QUANTILES(x, n)[OFFSET(k)] without building the list. */
import type { CallExpression } from '../../ast';
import type { AggregateExpr } from '../../ir/expression';
import { arrayOf, INT64, isScalar, shortTypeName } from '../../ir/types';
import { argumentName, checkCount, requiredConstant } from '../arguments';
import type { CallContext, FunctionSpec, Value } from '../function';
import { MAX_QUANTILES } from '../limits';
import { aggregated, aggregateValue, checkModifiers } from './aggregate';

export const approxQuantiles: FunctionSpec = {
  names: ['APPROX_QUANTILES'],
  kind: 'aggregate',
  safe: false,
  usage: 'APPROX_QUANTILES([DISTINCT] value, number [IGNORE NULLS])',
  summary:
    'The values that divide a group into that number of equal parts, from smallest to largest: number + 1 of them.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, approxQuantiles.usage, 2);
    checkModifiers(call, ctx, approxQuantiles.usage, ['DISTINCT', 'NULLS']);
    if (call.nulls === 'RESPECT') {
      ctx.fail('not_supported', 'APPROX_QUANTILES with RESPECT NULLS is not supported', call.namePosition);
    }
    if (call.over !== null) {
      ctx.fail('not_supported', 'APPROX_QUANTILES with OVER is not supported', call.namePosition);
    }
    const value = aggregated(call, ctx, 0);
    if (!isScalar(value.type) || value.type.kind === 'NULL' || value.type.kind === 'BOOL') {
      ctx.fail('type_mismatch', `${argumentName(call, 0)} cannot be ${shortTypeName(value.type)}`, value.position);
    }
    const given = aggregated(call, ctx, 1);
    if (given.type.kind === 'FLOAT64') refuseFraction(call, ctx, given);
    const number = ctx.coerce(given, INT64, argumentName(call, 1));
    const n = requiredConstant(number, ctx, argumentName(call, 1));
    // With a NULL count the result is NULL.
    if (n === null) {
      const nothing = { kind: 'literal', type: value.type, value: null } as const;
      return aggregateValue(call, 'approx_quantiles', [nothing], arrayOf(value.type), { n: 1 });
    }
    if (typeof n !== 'bigint' || n < 1n || n > BigInt(MAX_QUANTILES)) {
      return ctx.fail(
        'wrong_arguments',
        `${argumentName(call, 1)} must be a whole number from 1 to ${MAX_QUANTILES.toLocaleString('en-US')}`,
        number.position
      );
    }
    return aggregateValue(call, 'approx_quantiles', [value.expr], arrayOf(value.type), { n: Number(n) });
  },
};

/** Functions of other dialects take the fraction of one percentile there. @throws type_mismatch */
function refuseFraction(call: CallExpression, ctx: CallContext, given: Value): never {
  const fraction = ctx.constant(given)?.value;
  const percent = typeof fraction === 'number' && fraction >= 0 && fraction <= 1 ? Math.round(fraction * 100) : 95;
  const message = `${argumentName(call, 1)} is the number of parts, an INT64`;
  return ctx.fail('type_mismatch', message, given.position, `write APPROX_QUANTILES(value, 100)[OFFSET(${percent})]`);
}

/** One element; `start` is the index of the first one. An index outside of the list gives NULL. @throws not_constant */
export function quantileAt(
  aggregate: AggregateExpr<'approx_quantiles'>,
  index: Value,
  start: number,
  ctx: CallContext
): Value {
  if (aggregate.type.kind !== 'ARRAY') throw new Error('quantiles are a list');
  const type = aggregate.type.element;
  const { n } = aggregate.options;
  const constant = requiredConstant(index, ctx, 'the index of APPROX_QUANTILES');
  const k = typeof constant === 'bigint' ? Number(constant) - start : -1;
  const inside = k >= 0 && k <= n;
  // Remains an aggregate (of NULL), so that the block still returns one row per group.
  const args = inside ? aggregate.args : [{ kind: 'literal', type, value: null } as const];
  const expr: AggregateExpr<'quantile'> = {
    ...aggregate,
    fn: 'quantile',
    args,
    type,
    options: { k: inside ? k : 0, n },
  };
  return { expr, type, text: null, position: index.position };
}
