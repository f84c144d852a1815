/** CORR, COVAR_POP and COVAR_SAMP: how two numbers of the rows vary together. */
import { NO_OPTIONS } from '../../ir/operations/ops';
import { FLOAT64 } from '../../ir/types';
import { argumentName, checkCount } from '../arguments';
import type { FunctionSpec } from '../function';
import { aggregated, aggregateValue, checkModifiers } from './aggregate';

export const corr = ofPairs('CORR', 'corr', 'The correlation of two numbers, from -1 to 1; NULL below two pairs.');
export const covarPop = ofPairs(
  'COVAR_POP',
  'covar_pop',
  'The covariance of all pairs of two numbers; NULL for no pairs.'
);
export const covarSamp = ofPairs(
  'COVAR_SAMP',
  'covar_samp',
  'The covariance of a sample of pairs of two numbers; NULL below two pairs.'
);

function ofPairs(name: string, fn: 'corr' | 'covar_pop' | 'covar_samp', summary: string): FunctionSpec {
  const usage = `${name}(value, value)`;
  return {
    names: [name],
    kind: 'aggregate',
    safe: false,
    usage,
    summary: `${summary} Rows in which one is NULL are left out.`,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 2);
      checkModifiers(call, ctx, usage, []);
      const numbers = [0, 1].map((index) =>
        ctx.coerce(aggregated(call, ctx, index), FLOAT64, argumentName(call, index))
      );
      return aggregateValue(
        call,
        fn,
        numbers.map(({ expr }) => expr),
        FLOAT64,
        NO_OPTIONS
      );
    },
  };
}
