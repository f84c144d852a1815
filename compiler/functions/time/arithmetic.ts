/**
 * *_TRUNC, *_ADD, *_SUB and *_DIFF. The type of the value, not the name of the function, determines the type of the
 * result.
 */
import { DATE, DATETIME, INT64, isTime, TIMESTAMP, type Type } from '../../ir/types';
import { TIME_UNITS, type TimeUnit } from '../../time/time-units';
import { argument, argumentName, callValue, checkCount, nullValue, argumentsAt } from '../arguments';
import type { CallExpression } from '../../ast';
import type { CallContext, FunctionSpec, Value } from '../function';
import { intervalArgument } from './arguments/interval-argument';
import { retype, timeArgument } from './arguments/time-argument';
import { refuseLeadingUnit, unitArgument } from './arguments/unit-argument';
import { zoneArgument } from './arguments/zone-argument';

const CLOCK_UNITS: readonly TimeUnit[] = ['MICROSECOND', 'MILLISECOND', 'SECOND', 'MINUTE', 'HOUR'];
const DATE_UNITS = TIME_UNITS.filter((unit) => !CLOCK_UNITS.includes(unit));
const FIXED_UNITS: readonly TimeUnit[] = [...CLOCK_UNITS, 'DAY', 'WEEK'];
const CALENDAR_STEPS: readonly TimeUnit[] = ['DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'];

export const timeArithmetic: readonly FunctionSpec[] = [
  ...[TIMESTAMP, DATETIME, DATE].flatMap((type) => [
    truncation(type),
    shifting(type, 'ADD', 'time_add', 'later'),
    shifting(type, 'SUB', 'time_sub', 'earlier'),
  ]),
  completeUnits(),
  boundaries(DATETIME),
  boundaries(DATE),
];

function truncation(natural: Type): FunctionSpec {
  const name = `${natural.kind}_TRUNC`;
  const usage = natural.kind === 'TIMESTAMP' ? `${name}(value, unit[, time_zone])` : `${name}(value, unit)`;
  return {
    names: [name],
    kind: 'scalar',
    safe: true,
    constants: argumentsAt(2),
    usage,
    summary:
      'The start of the hour, day, week or other unit that a time is in. Weeks begin on Sunday; see WEEK(day) and ISOWEEK.',
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 2, 3);
      refuseLeadingUnit(call, ctx, `${name}(value, UNIT)`);
      const given = timeArgument(call, ctx, 0, natural);
      // DATE_TRUNC alone makes a DATE of a DATE.
      const value = natural.kind === 'DATE' || given.type.kind !== 'DATE' ? given : retype(given, DATETIME, ctx);
      const units = given.type.kind === 'DATE' ? DATE_UNITS : TIME_UNITS;
      const { unit, weekday } = unitArgument(call.args[1], units, name, ctx, call.position);
      if (call.args.length === 3 && value.type.kind !== 'TIMESTAMP') {
        ctx.fail(
          'wrong_arguments',
          `${name} of a ${value.type.kind} takes no time zone`,
          call.args[2]?.position ?? call.position
        );
      }
      const zone = zoneArgument(call.args[2], ctx, call.safe);
      if (zone === null) return nullValue(call, value.type);
      return callValue(call, 'time_trunc', [value], value.type, { unit, weekday, zone, safe: call.safe });
    },
  };
}

function shifting(natural: Type, verb: string, fn: 'time_add' | 'time_sub', direction: string): FunctionSpec {
  const name = `${natural.kind}_${verb}`;
  const usage = `${name}(value, INTERVAL n unit)`;
  return {
    names: [name],
    kind: 'scalar',
    safe: true,
    usage,
    summary: `A time that is an interval ${direction}.${natural.kind === 'TIMESTAMP' ? ' Months and years work on DATETIME and DATE only.' : ''}`,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 2);
      const given = timeArgument(call, ctx, 0, natural);
      const { amount, unit } = intervalArgument(call, ctx, 1, stepsOf(given.type));
      const value = natural.kind === 'DATETIME' && given.type.kind === 'DATE' ? retype(given, DATETIME, ctx) : given;
      return callValue(call, fn, [value, amount], value.type, { unit, safe: call.safe });
    },
  };
}

function stepsOf(type: Type): readonly TimeUnit[] {
  if (type.kind === 'DATE') return CALENDAR_STEPS;
  return type.kind === 'TIMESTAMP' ? FIXED_UNITS : [...CLOCK_UNITS, ...CALENDAR_STEPS];
}

function completeUnits(): FunctionSpec {
  const usage = 'TIMESTAMP_DIFF(later, earlier, unit)';
  return {
    names: ['TIMESTAMP_DIFF'],
    kind: 'scalar',
    safe: true,
    usage,
    summary: 'How many whole units lie between two times.',
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 3);
      refuseLeadingUnit(call, ctx, `${call.name}(later, earlier, UNIT)`);
      const values = pair(call, ctx, TIMESTAMP).map((value) => retype(value, TIMESTAMP, ctx));
      const { unit } = unitArgument(call.args[2], [...CLOCK_UNITS, 'DAY'], call.name, ctx, call.position);
      return callValue(call, 'timestamp_diff', values, INT64, { unit });
    },
  };
}

function boundaries(natural: Type): FunctionSpec {
  const name = `${natural.kind}_DIFF`;
  const usage = `${name}(later, earlier, unit)`;
  return {
    names: [name],
    kind: 'scalar',
    safe: true,
    usage,
    summary: 'How many starts of a unit lie between two times: 23:59 and 00:01 are one DAY apart.',
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 3);
      refuseLeadingUnit(call, ctx, `${call.name}(later, earlier, UNIT)`);
      const values = pair(call, ctx, natural);
      const dates = values.every((value) => value.type.kind === 'DATE');
      const { unit, weekday } = unitArgument(call.args[2], dates ? DATE_UNITS : TIME_UNITS, name, ctx, call.position);
      return callValue(call, 'datetime_diff', values, INT64, { unit, weekday });
    },
  };
}

/** Two times of one type: a text takes the type of the other side, and a DATE becomes midnight. */
function pair(call: CallExpression, ctx: CallContext, natural: Type): readonly Value[] {
  const given = [argument(call, ctx, 0), argument(call, ctx, 1)];
  const type = given.find((value) => isTime(value.type) && value.type.kind !== 'DATE')?.type;
  const wanted = type ?? given.find((value) => isTime(value.type))?.type ?? natural;
  return given.map((value, index) => {
    if (value.type.kind === 'DATE') return retype(value, wanted, ctx);
    return ctx.coerce(value, wanted, argumentName(call, index));
  });
}
