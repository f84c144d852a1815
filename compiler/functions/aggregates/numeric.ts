/** SUM, AVG, and the forms of STDDEV and VARIANCE. */
import type { CallExpression } from '../../ast';
import { FLOAT64, INT64, INTERVAL } from '../../ir/types';
import { callValue, numericValue } from '../arguments';
import type { CallContext, Value } from '../function';
import { partOf } from '../time/interval-values';
import { aggregateValue, simpleAggregate } from './aggregate';
import { NO_OPTIONS, type PlainAggregate } from '../../ir/operations/ops';

export const sum = simpleAggregate({
  names: ['SUM'],
  fn: 'sum',
  usage: 'SUM([DISTINCT] value)',
  summary: 'The sum; NULL for no rows.',
  modifiers: ['DISTINCT'],
  typeOf: (value, ctx, what) => {
    refuseCondition(value, ctx, what, 'use COUNTIF(condition)');
    const number = numericValue(value, ctx, what);
    return { value: number, type: number.type };
  },
  ofInterval: intervalSum,
});

export const avg = simpleAggregate({
  names: ['AVG'],
  fn: 'avg',
  usage: 'AVG([DISTINCT] value)',
  summary: 'The mean; NULL for no rows.',
  modifiers: ['DISTINCT'],
  typeOf: (value, ctx, what) => {
    refuseCondition(value, ctx, what, 'use COUNTIF(condition) / COUNT(*)');
    return { value: numericValue(value, ctx, what), type: FLOAT64 };
  },
  ofInterval: (call, ctx, value) => {
    const count = aggregateValue(call, 'count', [value.expr], INT64, NO_OPTIONS);
    return callValue(call, 'interval_div', [intervalSum(call, ctx, value), count], INTERVAL, { safe: false });
  },
});

/** Other dialects count a condition as 0 or 1. @throws type_mismatch */
function refuseCondition({ type, position }: Value, ctx: CallContext, what: string, hint: string): void {
  if (type.kind === 'BOOL') ctx.fail('type_mismatch', `${what} expects a number, found BOOL`, position, hint);
}

/** The sum of each part. */
function intervalSum(call: CallExpression, ctx: CallContext, { expr, position }: Value): Value {
  if (call.distinct) {
    ctx.fail('not_supported', `${call.name}(DISTINCT) of an INTERVAL is not supported`, position, 'leave out DISTINCT');
  }
  const parts = (['MONTHS', 'DAYS', 'MICROS'] as const).map((part) =>
    aggregateValue(call, 'sum', [partOf(expr, part)], INT64, NO_OPTIONS)
  );
  return callValue(call, 'interval_of_parts', parts, INTERVAL, { safe: false });
}

export const stddev = spread(
  ['STDDEV', 'STDDEV_SAMP'],
  'stddev_samp',
  'The standard deviation of a sample; NULL below two rows.'
);
export const variance = spread(['VARIANCE', 'VAR_SAMP'], 'var_samp', 'The variance of a sample; NULL below two rows.');
export const stddevPop = spread(
  ['STDDEV_POP'],
  'stddev_pop',
  'The standard deviation of all values; NULL for no rows.'
);
export const varPop = spread(['VAR_POP'], 'var_pop', 'The variance of all values; NULL for no rows.');

function spread(names: readonly string[], fn: PlainAggregate, summary: string) {
  return simpleAggregate({
    names,
    fn,
    usage: `${names[0]}([DISTINCT] value)`,
    summary,
    modifiers: ['DISTINCT'],
    typeOf: (value, ctx, what) => ({ value: ctx.coerce(value, FLOAT64, what), type: FLOAT64 }),
  });
}
