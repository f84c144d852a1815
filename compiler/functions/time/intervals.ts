/** MAKE_INTERVAL, JUSTIFY_HOURS, JUSTIFY_DAYS and JUSTIFY_INTERVAL. */
import { INT64, INTERVAL } from '../../ir/types';
import { callValue, checkCount, typedArgument, valueOf, wholeNumber } from '../arguments';
import type { FunctionSpec } from '../function';

const PARTS = 6;

const makeInterval: FunctionSpec = {
  names: ['MAKE_INTERVAL'],
  kind: 'scalar',
  safe: true,
  usage: 'MAKE_INTERVAL([years[, months[, days[, hours[, minutes[, seconds]]]]]])',
  summary: 'An interval of numbers of its parts, which are 0 where they are left out.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, makeInterval.usage, 0, PARTS);
    const parts = Array.from({ length: PARTS }, (_, index) =>
      index < call.args.length ? typedArgument(call, ctx, index, INT64) : valueOf(call, wholeNumber(0n))
    );
    return callValue(call, 'make_interval', parts, INTERVAL, { safe: false });
  },
};

export const intervalFunctions: readonly FunctionSpec[] = [
  makeInterval,
  justifying('HOURS', 'Each 24 hours of an interval as a day.'),
  justifying('DAYS', 'Each 30 days of an interval as a month.'),
  justifying('INTERVAL', 'Each 24 hours of an interval as a day, and each 30 days as a month.'),
];

function justifying(which: 'HOURS' | 'DAYS' | 'INTERVAL', summary: string): FunctionSpec {
  const name = `JUSTIFY_${which}`;
  const usage = `${name}(interval)`;
  return {
    names: [name],
    kind: 'scalar',
    safe: true,
    usage,
    summary,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 1);
      return callValue(call, 'interval_justify', [typedArgument(call, ctx, 0, INTERVAL)], INTERVAL, {
        which,
        safe: false,
      });
    },
  };
}
