/** Arithmetic that gives NULL where the result leaves the range of its type. */
import { FLOAT64, INT64 } from '../../ir/types';
import { argument, argumentName, callValue, checkCount, numericValue } from '../arguments';
import type { FunctionSpec } from '../function';

export const safeArithmetic: readonly FunctionSpec[] = [
  safe('SAFE_ADD', 'safe_add', 'SAFE_ADD(a, b)', 'a + b'),
  safe('SAFE_SUBTRACT', 'safe_sub', 'SAFE_SUBTRACT(a, b)', 'a - b'),
  safe('SAFE_MULTIPLY', 'safe_mul', 'SAFE_MULTIPLY(a, b)', 'a * b'),
  safe('SAFE_NEGATE', 'safe_neg', 'SAFE_NEGATE(value)', '-value'),
];

function safe(
  name: string,
  fn: 'safe_add' | 'safe_sub' | 'safe_mul' | 'safe_neg',
  usage: string,
  written: string
): FunctionSpec {
  const arity = fn === 'safe_neg' ? 1 : 2;
  return {
    names: [name],
    kind: 'scalar',
    safe: 'never fails',
    usage,
    summary: `\`${written}\`, or NULL where that leaves the range of its type.`,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, arity);
      const numbers = call.args.map((_, index) =>
        numericValue(argument(call, ctx, index), ctx, argumentName(call, index))
      );
      const type = numbers.every((value) => value.type.kind === 'INT64') ? INT64 : FLOAT64;
      const args = numbers.map((value, index) => ctx.coerce(value, type, argumentName(call, index)));
      return callValue(call, fn, args, type);
    },
  };
}
