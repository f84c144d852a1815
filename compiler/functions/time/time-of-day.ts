/** Functions of TIME, a time of day: TIME, TIME_ADD, TIME_SUB, TIME_DIFF and TIME_TRUNC. */
import { keysOf } from '#contract/records';
import type { CallExpression } from '../../ast';
import { callOf } from '../../ir/operations/call';
import type { Expr } from '../../ir/expression';
import { DATE, DATETIME, INT64, TIME, TIMESTAMP } from '../../ir/types';
import { MICROS_PER_DAY } from '../../time/parse-iso';
import { type TimeUnit, unitMicros } from '../../time/time-units';
import {
  argument,
  callValue,
  checkCount,
  nullValue,
  typedArgument,
  valueOf,
  wholeNumber,
  ZONE_AFTER_VALUE,
} from '../arguments';
import type { CallContext, FunctionSpec, Value } from '../function';
import { intervalArgument } from './arguments/interval-argument';
import { retype, timeArgument } from './arguments/time-argument';
import { unitArgument } from './arguments/unit-argument';
import { zoneArgument } from './arguments/zone-argument';
import { mapItems } from '../../items';

export const CLOCK_UNITS: readonly TimeUnit[] = ['MICROSECOND', 'MILLISECOND', 'SECOND', 'MINUTE', 'HOUR'];

const time: FunctionSpec = {
  names: ['TIME'],
  kind: 'scalar',
  safe: true,
  constants: ZONE_AFTER_VALUE,
  usage: 'TIME(value[, time_zone])',
  summary: 'The time of day of a time, in UTC or a time zone. Also TIME(hour, minute, second).',
  resolve: (call, ctx) => {
    if (call.args.length === 3) {
      const parts = call.args.map((_, index) => typedArgument(call, ctx, index, INT64));
      return callValue(call, 'make_time', parts, TIME, { safe: call.safe });
    }
    checkCount(call, ctx, time.usage, 1, 2);
    const given = timeArgument(call, ctx, 0, TIMESTAMP);
    if (call.args.length === 1) return timeOf(call, retype(given, DATETIME, ctx));
    return inZone(call, given, ctx);
  },
};

function inZone(call: CallExpression, given: Value, ctx: CallContext): Value {
  if (given.type.kind !== 'TIMESTAMP') {
    const position = call.args[1]?.position ?? call.position;
    ctx.fail('wrong_arguments', `TIME of a ${given.type.kind} takes no time zone`, position);
  }
  const zone = zoneArgument(call.args[1], ctx);
  if (zone === null) return nullValue(call, TIME);
  return timeOf(call, callValue(call, 'to_local', [given], DATETIME, { zone, safe: call.safe }));
}

function timeOf(call: CallExpression, local: Value): Value {
  return callValue(call, 'time_of_day', [local], TIME);
}

export const timeOfDayFunctions: readonly FunctionSpec[] = [
  time,
  shifting('TIME_ADD', 'add', 'later'),
  shifting('TIME_SUB', 'sub', 'earlier'),
  difference(),
  truncation(),
];

function shifting(name: string, fn: 'add' | 'sub', direction: string): FunctionSpec {
  const usage = `${name}(time, INTERVAL n unit)`;
  return {
    names: [name],
    kind: 'scalar',
    safe: 'never fails',
    usage,
    summary: `A time of day that is an interval ${direction}; midnight follows 23:59.`,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 2);
      const value = typedArgument(call, ctx, 0, TIME);
      const { amount, unit } = intervalArgument(call, ctx, 1, CLOCK_UNITS);
      const length = unitMicros(unit);
      // Whole days do not change the time of day.
      const rest = arithmetic('mod', amount.expr, wholeNumber(MICROS_PER_DAY / length));
      const moved = arithmetic(fn, microsOf(value.expr), arithmetic('mul', rest, wholeNumber(length)));
      const day = wholeNumber(MICROS_PER_DAY);
      return valueOf(call, timeFrom(arithmetic('mod', arithmetic('add', moved, day), day)));
    },
  };
}

function difference(): FunctionSpec {
  const usage = 'TIME_DIFF(later, earlier, unit)';
  return {
    names: ['TIME_DIFF'],
    kind: 'scalar',
    safe: 'never fails',
    usage,
    summary: 'How many starts of a unit lie between two times of day: 09:59 and 10:00 are one HOUR apart.',
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 3);
      const values = mapItems([0, 1], (index) => typedArgument(call, ctx, index, TIME));
      const { unit } = unitArgument(call.args[2], CLOCK_UNITS, call.name, ctx, call.position);
      const length = wholeNumber(unitMicros(unit));
      const [later, earlier] = mapItems(values, ({ expr }) => arithmetic('int_div', microsOf(expr), length));
      return valueOf(call, arithmetic('sub', later, earlier));
    },
  };
}

function truncation(): FunctionSpec {
  const usage = 'TIME_TRUNC(time, unit)';
  return {
    names: ['TIME_TRUNC'],
    kind: 'scalar',
    safe: 'never fails',
    usage,
    summary: 'The start of the hour, minute or other unit that a time of day is in.',
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 2);
      const value = typedArgument(call, ctx, 0, TIME);
      const { unit } = unitArgument(call.args[1], CLOCK_UNITS, call.name, ctx, call.position);
      const length = wholeNumber(unitMicros(unit));
      return valueOf(call, timeFrom(arithmetic('mul', arithmetic('int_div', microsOf(value.expr), length), length)));
    },
  };
}

const PARTS = {
  MICROSECOND: [1n, 1_000_000n],
  MILLISECOND: [1_000n, 1_000n],
  SECOND: [1_000_000n, 60n],
  MINUTE: [60_000_000n, 60n],
  HOUR: [3_600_000_000n, 24n],
} as const;

/** Parts of a time of day that EXTRACT gives. */
export const CLOCK_PARTS = keysOf(PARTS);

/** A part of a time of day, as EXTRACT gives it. */
export function partOfDay(value: Expr, part: keyof typeof PARTS): Expr {
  const [length, count] = PARTS[part];
  return arithmetic('mod', arithmetic('int_div', microsOf(value), wholeNumber(length)), wholeNumber(count));
}

/** A DATETIME at a time of day. @param midnight a DATETIME */
export function atTime(midnight: Expr, value: Expr, safe: boolean): Expr {
  return callOf('time_add', [midnight, microsOf(value)], DATETIME, { unit: 'MICROSECOND', safe });
}

/** DATETIME(date, time). */
export function datetimeAt(call: CallExpression, ctx: CallContext): Value | undefined {
  if (call.args.length !== 2) return undefined;
  const isOfDate = argument(call, ctx, 1).type.kind === 'TIME' || argument(call, ctx, 0).type.kind === 'DATE';
  if (!isOfDate) return undefined;
  const date = typedArgument(call, ctx, 0, DATE);
  return valueOf(call, atTime(retype(date, DATETIME, ctx).expr, typedArgument(call, ctx, 1, TIME).expr, call.safe));
}

function microsOf(value: Expr): Expr {
  return callOf('time_micros', [value], INT64);
}

function timeFrom(micros: Expr): Expr {
  return callOf('time_from_micros', [micros], TIME);
}

function arithmetic(fn: 'add' | 'sub' | 'mul' | 'mod' | 'int_div', left: Expr, right: Expr): Expr {
  return callOf(fn, [left, right], INT64);
}
