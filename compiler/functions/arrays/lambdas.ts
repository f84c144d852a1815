/** ARRAY_FILTER and ARRAY_TRANSFORM. */
import { callOf } from '../../ir/operations/call';
import { arrayOf } from '../../ir/types';
import { checkCount, valueOf } from '../arguments';
import type { FunctionSpec } from '../function';
import { arrayArgument } from './array-argument';
import { foundElements, lambdaArgument, lambdaCondition } from './conditions';

export const arrayFilter: FunctionSpec = {
  names: ['ARRAY_FILTER'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'ARRAY_FILTER(array, e -> condition) or ARRAY_FILTER(array, (e, offset) -> condition)',
  summary: 'The elements that satisfy a condition.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, arrayFilter.usage, 2);
    const list = arrayArgument(call, ctx, 0);
    return valueOf(call, foundElements({ list, condition: lambdaCondition(call, ctx, 1, list), target: null }));
  },
};

export const arrayTransform: FunctionSpec = {
  names: ['ARRAY_TRANSFORM'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'ARRAY_TRANSFORM(array, e -> value) or ARRAY_TRANSFORM(array, (e, offset) -> value)',
  summary: 'The value of an expression for each element.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, arrayTransform.usage, 2);
    const list = arrayArgument(call, ctx, 0);
    const lambda = lambdaArgument(call, ctx, 1, list, (body) => {
      if (body.type.kind !== 'ARRAY' && body.type.kind !== 'SINGLE') return body;
      return ctx.fail('type_mismatch', 'an array cannot hold arrays', body.position, 'write STRUCT(...) around it');
    });
    return valueOf(call, callOf('list_map', [list.expr, lambda], arrayOf(lambda.type)));
  },
};
