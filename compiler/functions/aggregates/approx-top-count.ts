/** APPROX_TOP_COUNT. Both stores count exactly; ties are ordered with NULL and smaller values first. */
import { arrayOf, INT64, isScalar, shortTypeName, STRING } from '../../ir/types';
import { argumentName, checkCount } from '../arguments';
import type { FunctionSpec } from '../function';
import { aggregated, aggregateValue, checkModifiers, topNumber } from './aggregate';

export const approxTopCount: FunctionSpec = {
  names: ['APPROX_TOP_COUNT'],
  kind: 'aggregate',
  safe: false,
  usage: 'APPROX_TOP_COUNT(value, number)',
  summary:
    'The most frequent values, each as a STRUCT of value and count, from the most frequent on; NULL counts as a value.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, approxTopCount.usage, 2);
    checkModifiers(call, ctx, approxTopCount.usage, []);
    if (call.over !== null) ctx.fail('not_supported', 'APPROX_TOP_COUNT with OVER is not supported', call.namePosition);
    const given = aggregated(call, ctx, 0);
    if (!isScalar(given.type)) {
      ctx.fail('type_mismatch', `${argumentName(call, 0)} cannot be ${shortTypeName(given.type)}`, given.position);
    }
    const value = given.type.kind === 'NULL' ? ctx.coerce(given, STRING, argumentName(call, 0)) : given;
    const n = topNumber(call, ctx, 1);
    const element = {
      kind: 'STRUCT',
      fields: [
        { name: 'value', type: value.type },
        { name: 'count', type: INT64 },
      ],
    } as const;
    return aggregateValue(call, 'approx_top_count', [value.expr], arrayOf(element), { n });
  },
};
