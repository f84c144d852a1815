/** Conversion between times and Unix times. */
import { INT64, TIMESTAMP } from '../../ir/types';
import { callValue, checkCount, fixedFunction, nullValue, typedArgument } from '../arguments';
import { MAX_MICROS, MIN_MICROS } from '../../time/parse-iso';
import type { FunctionSpec } from '../function';

export const unixFunctions: readonly FunctionSpec[] = [
  counting('SECONDS', 'unix_seconds'),
  counting('MILLIS', 'unix_millis'),
  counting('MICROS', 'unix_micros'),
  fromCount('SECONDS', 1_000_000),
  fromCount('MILLIS', 1_000),
  fromCount('MICROS', 1),
];

function counting(unit: string, fn: 'unix_seconds' | 'unix_millis' | 'unix_micros'): FunctionSpec {
  return fixedFunction({
    names: [`UNIX_${unit}`],
    fn,
    takes: [TIMESTAMP],
    returns: INT64,
    safe: 'never fails',
    usage: `UNIX_${unit}(timestamp)`,
    summary: `${unit.toLowerCase()} since 1970-01-01, rounded down.`,
  });
}

function fromCount(unit: string, scale: number): FunctionSpec {
  const name = `TIMESTAMP_${unit}`;
  const usage = `${name}(count)`;
  return {
    names: [name],
    kind: 'scalar',
    safe: true,
    usage,
    summary: `The instant that is the given number of ${unit.toLowerCase()} after 1970-01-01.`,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 1);
      const count = typedArgument(call, ctx, 0, INT64);
      const constant = ctx.constant(count)?.value;
      if (typeof constant === 'bigint') {
        const micros = constant * BigInt(scale);
        if (micros < MIN_MICROS || micros > MAX_MICROS) {
          if (call.safe) return nullValue(call, TIMESTAMP);
          ctx.fail('out_of_range', `${name} is outside the years 0001 to 9999`, count.position);
        }
      }
      return callValue(call, 'timestamp_from', [count], TIMESTAMP, { scale, safe: call.safe });
    },
  };
}
