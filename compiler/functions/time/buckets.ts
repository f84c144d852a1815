/**
 * TIMESTAMP_BUCKET, DATETIME_BUCKET and DATE_BUCKET: the start of the bucket that contains a time, of the type of the
 * time.
 */
import type { CallExpression } from '../../ast';
import type { Expr } from '../../ir/expression';
import { BOOL, DATE, DATETIME, INT64, TIMESTAMP, type Type } from '../../ir/types';
import { UNIT_MICROS, UNIT_MONTHS, type TimeUnit } from '../../time/time-units';
import { argumentName, checkCount, requiredConstant, valueOf, wholeNumber } from '../arguments';
import type { CallContext, FunctionSpec } from '../function';
import { intervalArgument } from './arguments/interval-argument';
import { retype, timeArgument } from './arguments/time-argument';
import { callOf } from '../../ir/operations/call';

/** Default origin of the buckets: 1950-01-01 (GoogleSQL). */
const ORIGIN_DAYS = -7305n;
const MICROS_PER_DAY = 86_400_000_000n;
const DAY_UNITS: readonly TimeUnit[] = ['DAY', 'WEEK'];
const CLOCK_UNITS: readonly TimeUnit[] = ['MICROSECOND', 'MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', ...DAY_UNITS];
const MONTH_UNITS: readonly TimeUnit[] = ['MONTH', 'QUARTER', 'YEAR'];
/** Maximum bucket length in microseconds: 10,000 days of 24 hours. */
const MAX_SPAN = 10_000n * MICROS_PER_DAY;
const MAX_MONTHS = 10_000n;

export const bucketFunctions: readonly FunctionSpec[] = [bucketing(TIMESTAMP), bucketing(DATETIME), bucketing(DATE)];

function bucketing(natural: Type): FunctionSpec {
  const name = `${natural.kind}_BUCKET`;
  const usage = `${name}(value, INTERVAL n unit[, origin])`;
  return {
    names: [name],
    kind: 'scalar',
    safe: true,
    usage,
    summary:
      'The start of the span of n units that a time is in; spans are counted from 1950-01-01, or from an origin.',
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 2, 3);
      const value = timeArgument(call, ctx, 0, natural);
      const { type } = value;
      const { amount, unit } = intervalArgument(call, ctx, 1, unitsOf(type));
      const count = requiredConstant(amount, ctx, argumentName(call, 1));
      const origin = originOf(call, ctx, type);
      if (count === null) return valueOf(call, { kind: 'literal', type, value: null });
      const months = UNIT_MONTHS[unit];
      const length = BigInt(count) * (months ?? UNIT_MICROS[unit] ?? 0n);
      if (length <= 0n || length > (months === undefined ? MAX_SPAN : MAX_MONTHS)) {
        ctx.fail(
          'wrong_arguments',
          `${argumentName(call, 1)} must be positive and at most 10,000 ${months === undefined ? 'days' : 'months'}`,
          amount.position
        );
      }
      const bucket = months === undefined ? fixedBucket : monthBucket;
      return valueOf(call, bucket(value.expr, origin, length, call.safe));
    },
  };
}

function unitsOf({ kind }: Type): readonly TimeUnit[] {
  if (kind === 'TIMESTAMP') return CLOCK_UNITS;
  return kind === 'DATE' ? [...DAY_UNITS, ...MONTH_UNITS] : [...CLOCK_UNITS, ...MONTH_UNITS];
}

function originOf(call: CallExpression, ctx: CallContext, type: Type): Expr {
  if (call.args.length === 3) return retype(timeArgument(call, ctx, 2, type), type, ctx).expr;
  return { kind: 'literal', type, value: type.kind === 'DATE' ? ORIGIN_DAYS : ORIGIN_DAYS * MICROS_PER_DAY };
}

/** @param length in microseconds */
function fixedBucket(value: Expr, origin: Expr, length: bigint, safe: boolean): Expr {
  const { type } = value;
  const isDate = type.kind === 'DATE';
  const span = wholeNumber(isDate ? length / MICROS_PER_DAY : length);
  return callOf('time_sub', [value, rest(since(value, origin), span)], type, {
    unit: isDate ? 'DAY' : 'MICROSECOND',
    safe,
  });
}

/** @param length in months. The day of the origin, or the last of a shorter month, begins a bucket. */
function monthBucket(value: Expr, origin: Expr, length: bigint, safe: boolean): Expr {
  const { type } = value;
  const passed = callOf('datetime_diff', [value, origin], INT64, { unit: 'MONTH', weekday: 0 });
  const span = wholeNumber(length);
  const whole = arithmetic('sub', passed, rest(passed, span));
  const start = (months: Expr): Expr => callOf('time_add', [origin, months], type, { unit: 'MONTH', safe });
  const isLater = callOf('gt', [start(whole), value], BOOL);
  return {
    kind: 'case',
    branches: [{ when: isLater, then: start(arithmetic('sub', whole, span)) }],
    otherwise: start(whole),
    type,
  };
}

/** The remainder has the sign of the dividend; adding the length makes it positive. */
function rest(distance: Expr, length: Expr): Expr {
  return arithmetic('mod', arithmetic('add', arithmetic('mod', distance, length), length), length);
}

/** Distance from the origin in days or microseconds. */
function since(value: Expr, origin: Expr): Expr {
  if (value.type.kind === 'DATE') return callOf('datetime_diff', [value, origin], INT64, { unit: 'DAY', weekday: 0 });
  const micros = (time: Expr): Expr => callOf('unix_micros', [time], INT64);
  return arithmetic('sub', micros(value), micros(origin));
}

function arithmetic(fn: 'add' | 'sub' | 'mod', left: Expr, right: Expr): Expr {
  return callOf(fn, [left, right], INT64);
}
