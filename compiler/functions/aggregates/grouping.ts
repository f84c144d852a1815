/** GROUPING: which keys of GROUP BY the row of a grouping set lacks. */
import { NO_OPTIONS } from '../../ir/operations/ops';
import { INT64 } from '../../ir/types';
import { argument, checkCount } from '../arguments';
import type { FunctionSpec } from '../function';
import { aggregateValue, checkModifiers } from './aggregate';

export const grouping: FunctionSpec = {
  names: ['GROUPING'],
  kind: 'aggregate',
  safe: false,
  usage: 'GROUPING(key)',
  summary:
    'Whether a row of ROLLUP, CUBE or GROUPING SETS is a total over all values of a key (1), or has one value of it (0).',
  resolve: (call, ctx) => {
    checkCount(call, ctx, grouping.usage, 1);
    checkModifiers(call, ctx, grouping.usage, []);
    if (call.over !== null) ctx.fail('wrong_arguments', 'GROUPING takes no OVER', call.over.position);
    return aggregateValue(call, 'grouping', [argument(call, ctx, 0).expr], INT64, NO_OPTIONS);
  },
};
