/** SUM, AVG, and the forms of STDDEV and VARIANCE. */
import { FLOAT64 } from '../../ir/types';
import { numericValue } from '../arguments';
import { simpleAggregate } from './aggregate';
import type { PlainAggregate } from '../../ir/ops';

export const sum = simpleAggregate({
  names: ['SUM'],
  fn: 'sum',
  usage: 'SUM([DISTINCT] value)',
  summary: 'The sum; NULL for no rows.',
  modifiers: ['DISTINCT'],
  typeOf: (value, ctx, what) => {
    const number = numericValue(value, ctx, what);
    return { value: number, type: number.type };
  },
});

export const avg = simpleAggregate({
  names: ['AVG'],
  fn: 'avg',
  usage: 'AVG([DISTINCT] value)',
  summary: 'The mean; NULL for no rows.',
  modifiers: ['DISTINCT'],
  typeOf: (value, ctx, what) => ({ value: numericValue(value, ctx, what), type: FLOAT64 }),
});

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
