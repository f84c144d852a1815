/** Elements at the ends of arrays: ARRAY_FIRST_N, ARRAY_LAST_N, and arrays without them. */
import { callOf } from '../../ir/operations/call';
import type { Expr } from '../../ir/expression';
import { arrayOf, BOOL, INT64, STRING } from '../../ir/types';
import { checkCount, typedArgument, valueOf, wholeNumber } from '../arguments';
import type { FunctionSpec } from '../function';
import { arrayArgument } from './array-argument';

type Offsets = (n: Expr, count: Expr) => readonly [first: Expr, last: Expr];

const minus = (a: Expr, b: Expr): Expr => callOf('sub', [a, b], INT64);
const ONE = wholeNumber(1n);
const ZERO = wholeNumber(0n);

export const arrayEnds: readonly FunctionSpec[] = [
  ending('ARRAY_FIRST_N', 'The first n elements.', (n) => [ZERO, minus(n, ONE)]),
  ending('ARRAY_LAST_N', 'The last n elements.', (n, count) => [
    callOf('greatest', [minus(count, n), ZERO], INT64),
    minus(count, ONE),
  ]),
  ending('ARRAY_REMOVE_FIRST_N', 'The elements without the first n.', (n, count) => [n, minus(count, ONE)]),
  ending('ARRAY_REMOVE_LAST_N', 'The elements without the last n.', (n, count) => [ZERO, minus(minus(count, ONE), n)]),
];

function ending(name: string, summary: string, offsetsOf: Offsets): FunctionSpec {
  const usage = `${name}(array, n)`;
  return {
    names: [name],
    kind: 'scalar',
    safe: true,
    usage,
    summary,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 2);
      const { expr: list, element } = arrayArgument(call, ctx, 0);
      const n = typedArgument(call, ctx, 1, INT64).expr;
      const type = arrayOf(element);
      // A number beyond the length would overflow, and the array has no more elements.
      const count = callOf('list_length', [list], INT64);
      const some = callOf('least', [n, count], INT64);
      const [first, last] = offsetsOf(some, count);
      const message: Expr = { kind: 'literal', type: STRING, value: null };
      const failed = callOf('error', [message], type, { failure: 'negative_length' });
      const isEmpty = callOf('lt', [last, ZERO], BOOL);
      return valueOf(call, {
        kind: 'case',
        branches: [
          // The number of no array does not matter.
          { when: callOf('is_null', [list], BOOL), then: { kind: 'literal', type, value: null } },
          { when: callOf('lt', [n, ZERO], BOOL), then: failed },
          // An offset below 0 would count from the end.
          { when: isEmpty, then: callOf('list_slice', [list, ONE, ZERO], type) },
        ],
        otherwise: callOf('list_slice', [list, first, last], type),
        type,
      });
    },
  };
}
