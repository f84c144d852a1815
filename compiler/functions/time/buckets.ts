/** TIMESTAMP_BUCKET, DATETIME_BUCKET and DATE_BUCKET: the start of the fixed-length bucket that contains a time. */
import type { CallExpression } from '../../ast';
import type { Expr } from '../../ir/expression';
import { DATE, DATETIME, INT64, TIMESTAMP, type Type } from '../../ir/types';
import { UNIT_MICROS, type TimeUnit } from '../../time/time-units';
import { argumentName, checkCount, constantOf, valueOf, wholeNumber } from '../arguments';
import type { CallContext, FunctionSpec } from '../function';
import { intervalArgument } from './interval-argument';
import { retype, timeArgument } from './time-argument';
import { callOf } from '../../ir/call';

/** Default origin of the buckets: 1950-01-01 (GoogleSQL). */
const ORIGIN_DAYS = -7305n;
const MICROS_PER_DAY = 86_400_000_000n;
const DAY_UNITS: readonly TimeUnit[] = ['DAY', 'WEEK'];
const CLOCK_UNITS: readonly TimeUnit[] = ['MICROSECOND', 'MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', ...DAY_UNITS];
/** Maximum bucket length in microseconds: 10,000 days of 24 hours. */
const MAX_SPAN = 10_000n * MICROS_PER_DAY;

export const bucketFunctions: readonly FunctionSpec[] = [bucketing(TIMESTAMP), bucketing(DATETIME), bucketing(DATE)];

function bucketing(natural: Type): FunctionSpec {
  const name = `${natural.kind}_BUCKET`;
  const usage = `${name}(value, INTERVAL n unit[, origin])`;
  return {
    names: [name],
    kind: 'scalar',
    safe: false,
    usage,
    summary:
      'The start of the span of n units that a time is in; spans are counted from 1950-01-01, or from an origin.',
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 2, 3);
      const value = retype(timeArgument(call, ctx, 0, natural), natural, ctx);
      const isDate = natural.kind === 'DATE';
      const unit = isDate ? 'DAY' : 'MICROSECOND';
      const span = spanOf(call, ctx, isDate);
      const origin = originOf(call, ctx, natural);
      if (span === null) return valueOf(call, { kind: 'literal', type: natural, value: null });
      const length = wholeNumber(isDate ? span / MICROS_PER_DAY : span);
      // The remainder has the sign of the dividend; adding the length makes it positive.
      const rest = arithmetic('mod', since(value.expr, origin, isDate), length);
      const past = arithmetic('mod', arithmetic('add', rest, length), length);
      return valueOf(call, callOf('time_sub', [value.expr, past], natural, { unit }));
    },
  };
}

/** Length in microseconds; null for NULL. @throws not_constant, wrong_arguments */
function spanOf(call: CallExpression, ctx: CallContext, isDate: boolean): bigint | null {
  const { amount, unit } = intervalArgument(call, ctx, 1, isDate ? DAY_UNITS : CLOCK_UNITS);
  const count = constantOf(amount, ctx, argumentName(call, 1));
  if (count === null) return null;
  const span = BigInt(count) * (UNIT_MICROS[unit] as bigint);
  if (span > 0n && span <= MAX_SPAN) return span;
  return ctx.fail(
    'wrong_arguments',
    `${argumentName(call, 1)} must be positive and at most 10,000 days`,
    amount.position
  );
}

function originOf(call: CallExpression, ctx: CallContext, natural: Type): Expr {
  if (call.args.length === 3) return retype(timeArgument(call, ctx, 2, natural), natural, ctx).expr;
  return {
    kind: 'literal',
    type: natural,
    value: natural.kind === 'DATE' ? ORIGIN_DAYS : ORIGIN_DAYS * MICROS_PER_DAY,
  };
}

/** Distance from the origin in days or microseconds. */
function since(value: Expr, origin: Expr, isDate: boolean): Expr {
  if (isDate) {
    return callOf('datetime_diff', [value, origin], INT64, { unit: 'DAY', weekday: 0 });
  }
  const micros = (time: Expr): Expr => callOf('unix_micros', [time], INT64);
  return arithmetic('sub', micros(value), micros(origin));
}

function arithmetic(fn: 'add' | 'sub' | 'mod', left: Expr, right: Expr): Expr {
  return callOf(fn, [left, right], INT64);
}
