/** Functions that reduce an array to one value, and parts of arrays. */
import { callOf } from '../../ir/operations/call';
import {
  arrayOf,
  BOOL,
  FLOAT64,
  INT64,
  isComparable,
  isNumeric,
  isScalar,
  shortTypeName,
  type Type,
} from '../../ir/types';
import { argumentName, checkCount, typedArgument, valueOf } from '../arguments';
import type { FunctionSpec } from '../function';
import { arrayArgument } from './array-argument';

export const arraySum = reducing({
  fn: 'list_sum',
  name: 'ARRAY_SUM',
  summary: 'The sum of the elements that are not NULL; NULL for an array without values.',
  takes: isNumeric,
  resultOf: (element) => element,
  ofNull: FLOAT64,
});

export const arrayAvg = reducing({
  fn: 'list_avg',
  name: 'ARRAY_AVG',
  summary: 'The average of the elements that are not NULL; NULL for an array without values.',
  takes: isNumeric,
  resultOf: () => FLOAT64,
});

export const arrayMin = reducing({
  fn: 'list_min',
  name: 'ARRAY_MIN',
  summary: 'The smallest element that is not NULL; NULL for an array without values.',
  takes: isScalar,
  resultOf: (element) => element,
});

export const arrayMax = reducing({
  fn: 'list_max',
  name: 'ARRAY_MAX',
  summary: 'The largest element that is not NULL; NULL for an array without values.',
  takes: isScalar,
  resultOf: (element) => element,
});

export const arrayIsDistinct = reducing({
  fn: 'list_is_distinct',
  name: 'ARRAY_IS_DISTINCT',
  summary: 'Whether no two elements are the same; two NULLs are.',
  takes: isComparable,
  resultOf: () => BOOL,
});

export const arraySlice: FunctionSpec = {
  names: ['ARRAY_SLICE'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'ARRAY_SLICE(array, first, last)',
  summary: 'The elements from one offset to another, both included; negative offsets count from the end.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, arraySlice.usage, 3);
    const { expr, element } = arrayArgument(call, ctx, 0);
    const [first, last] = [typedArgument(call, ctx, 1, INT64), typedArgument(call, ctx, 2, INT64)];
    return valueOf(call, callOf('list_slice', [expr, first.expr, last.expr], arrayOf(element)));
  },
};

function reducing(spec: {
  readonly fn: 'list_sum' | 'list_avg' | 'list_min' | 'list_max' | 'list_is_distinct';
  readonly name: string;
  readonly summary: string;
  readonly takes: (element: Type) => boolean;
  readonly resultOf: (element: Type) => Type;
  /** Type of the elements of NULL. @default INT64 */
  readonly ofNull?: Type;
}): FunctionSpec {
  const { fn, name, summary } = spec;
  const usage = `${name}(array)`;
  return {
    names: [name],
    kind: 'scalar',
    safe: fn === 'list_sum' ? true : 'never fails',
    usage,
    summary,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 1);
      const given = arrayArgument(call, ctx, 0, spec.ofNull);
      const element = given.element.kind === 'NULL' ? INT64 : given.element;
      if (!spec.takes(element)) {
        const position = call.args[0]?.position ?? call.position;
        ctx.fail('type_mismatch', `${argumentName(call, 0)} cannot be ARRAY<${shortTypeName(element)}>`, position);
      }
      return valueOf(call, callOf(fn, [given.expr], spec.resultOf(element)));
    },
  };
}
