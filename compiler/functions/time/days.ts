/** LAST_DAY, UNIX_DATE and DATE_FROM_UNIX_DATE. */
import type { Expr } from '../../ir/expression';
import { DATE, INT64 } from '../../ir/types';
import type { TimeUnit } from '../../time/time-units';
import { UTC } from '../../time/time-zone';
import { checkCount, typedArgument, valueOf, wholeNumber } from '../arguments';
import type { FunctionSpec } from '../function';
import { retype, timeArgument } from './arguments/time-argument';
import { unitArgument } from './arguments/unit-argument';
import { callOf } from '../../ir/operations/call';

const EPOCH: Expr = { kind: 'literal', type: DATE, value: 0n };
const SPANS: readonly TimeUnit[] = ['WEEK', 'ISOWEEK', 'MONTH', 'QUARTER', 'YEAR', 'ISOYEAR'];

export const lastDay: FunctionSpec = {
  names: ['LAST_DAY'],
  kind: 'scalar',
  safe: true,
  usage: 'LAST_DAY(date[, unit])',
  summary: 'The last day of the month, or of the WEEK, ISOWEEK, QUARTER, YEAR or ISOYEAR, that a date is in.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, lastDay.usage, 1, 2);
    const value = retype(timeArgument(call, ctx, 0, DATE), DATE, ctx);
    const { unit, weekday } =
      call.args.length === 1
        ? ({ unit: 'MONTH', weekday: 0 } as const)
        : unitArgument(call.args[1], SPANS, call.name, ctx, call.position);
    return valueOf(call, lastOf(value.expr, unit, weekday, call.safe));
  },
};

function lastOf(date: Expr, unit: TimeUnit, weekday: number, safe: boolean): Expr {
  if (unit === 'MONTH' || unit === 'QUARTER' || unit === 'YEAR') return callOf('last_day', [date], DATE, { unit });
  const start = (of: Expr): Expr => callOf('time_trunc', [of], DATE, { unit, weekday, zone: UTC, safe });
  const later = (of: Expr, days: bigint): Expr =>
    callOf('time_add', [of, wholeNumber(days)], DATE, { unit: 'DAY', safe });
  // An ISO year has 364 or 371 days.
  return unit === 'ISOYEAR' ? later(start(later(start(date), 371n)), -1n) : later(start(date), 6n);
}

export const unixDate: FunctionSpec = {
  names: ['UNIX_DATE'],
  kind: 'scalar',
  safe: true,
  usage: 'UNIX_DATE(date)',
  summary: 'Days since 1970-01-01.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, unixDate.usage, 1);
    const value = typedArgument(call, ctx, 0, DATE);
    return valueOf(call, callOf('datetime_diff', [value.expr, EPOCH], INT64, { unit: 'DAY', weekday: 0 }));
  },
};

export const dateFromUnixDate: FunctionSpec = {
  names: ['DATE_FROM_UNIX_DATE'],
  kind: 'scalar',
  safe: true,
  usage: 'DATE_FROM_UNIX_DATE(days)',
  summary: 'The date that is the given number of days after 1970-01-01.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, dateFromUnixDate.usage, 1);
    const days = typedArgument(call, ctx, 0, INT64);
    return valueOf(call, callOf('time_add', [EPOCH, days.expr], DATE, { unit: 'DAY', safe: call.safe }));
  },
};
