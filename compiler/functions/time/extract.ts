/** EXTRACT(part FROM x [AT TIME ZONE z]). */
import { isKeyOf, keysOf } from '#contract/records';
import type { ExtractExpression } from '../../ast';
import { DATE, DATETIME, INT64, isTime, TIME, TIMESTAMP, type Type } from '../../ir/types';
import { type TimeZone, UTC } from '../../time/time-zone';
import type { CallContext, Value } from '../function';
import { retype } from './arguments/time-argument';
import { zoneArgument } from './arguments/zone-argument';
import { callOf } from '../../ir/operations/call';
import type { Expr } from '../../ir/expression';
import { extractedPart, INTERVAL_PARTS } from './interval-values';
import { CLOCK_PARTS, partOfDay } from './time-of-day';
import { weekdayNamed } from './arguments/unit-argument';

const DATE_PARTS = ['DAYOFWEEK', 'DAY', 'DAYOFYEAR', 'WEEK', 'ISOWEEK', 'MONTH', 'QUARTER', 'YEAR', 'ISOYEAR'] as const;
/** Parts that are not numbers. */
const RESULTS = { DATE, DATETIME, TIME };
const ALL_PARTS = [...CLOCK_PARTS, ...DATE_PARTS, ...keysOf(RESULTS)];

/** Text constants and NULL are read as TIMESTAMP. @throws bad_unit, type_mismatch */
export function resolveExtract(expression: ExtractExpression, ctx: CallContext): Value {
  const value = operand(expression, ctx);
  const { position } = expression;
  if (value.type.kind === 'TIME') {
    const part = partOf(expression, value.type, CLOCK_PARTS, ctx);
    checkNoZone(expression, value, ctx);
    return { expr: partOfDay(value.expr, part), type: INT64, text: null, position };
  }
  if (value.type.kind === 'INTERVAL') {
    const part = partOf(expression, value.type, INTERVAL_PARTS, ctx);
    checkNoZone(expression, value, ctx);
    return { expr: extractedPart(value.expr, part), type: INT64, text: null, position };
  }
  const part = partOf(expression, value.type, value.type.kind === 'DATE' ? DATE_PARTS : ALL_PARTS, ctx);
  const type = isKeyOf(RESULTS, part) ? RESULTS[part] : INT64;
  const zone = zoneArgument(expression.timeZone, ctx);
  if (zone === null) return { expr: { kind: 'literal', type, value: null }, type, text: null, position };
  if (value.type.kind !== 'TIMESTAMP') checkNoZone(expression, value, ctx);
  const local = zone === UTC ? value.expr : localTime(value, zone);
  if (part === 'DATE' || part === 'DATETIME')
    return { ...retype({ ...value, expr: local, type: DATETIME }, type, ctx), position };
  if (part === 'TIME') return { expr: callOf('time_of_day', [local], TIME), type, text: null, position };
  if (expression.weekday !== null) {
    const weekday = weekdayNamed(expression.weekday.name, expression.weekday.position, ctx);
    return { expr: weekOfYear(local, weekday), type, text: null, position };
  }
  return { expr: callOf('extract', [local], type, { part }), type, text: null, position };
}

function checkNoZone({ timeZone }: ExtractExpression, { type }: Value, ctx: CallContext): void {
  if (timeZone === null) return;
  ctx.fail('wrong_arguments', `EXTRACT from a ${type.kind} takes no time zone`, timeZone.position);
}

/** Weeks that begin on the weekday, counted from the first such day of the year; the days before it are week 0. */
function weekOfYear(local: Expr, weekday: number): Expr {
  const ofYear = callOf('extract', [local], INT64, { part: 'DAYOFYEAR' });
  const ofWeek = callOf('extract', [local], INT64, { part: 'DAYOFWEEK' });
  const whole = (value: number): Expr => ({ kind: 'literal', type: INT64, value: BigInt(value) });
  // Days since the last such weekday: DAYOFWEEK counts from Sunday, which is 1.
  const since = callOf('mod', [callOf('add', [ofWeek, whole(6 - weekday)], INT64), whole(7)], INT64);
  const shifted = callOf('sub', [callOf('add', [ofYear, whole(6)], INT64), since], INT64);
  return callOf('int_div', [shifted, whole(7)], INT64);
}

/** Parts of other dialects. */
const OTHER_PARTS: ReadonlyMap<string, string> = new Map([
  ['EPOCH', 'use UNIX_SECONDS(x), and TIMESTAMP_DIFF(a, b, SECOND) for the time between two'],
  ['DOW', 'use DAYOFWEEK, which is 1 on Sunday'],
  ['ISODOW', 'use DAYOFWEEK, which is 1 on Sunday'],
  ['WEEKDAY', 'use DAYOFWEEK, which is 1 on Sunday'],
  ['DOY', 'use DAYOFYEAR'],
]);

function operand({ operand: expression }: ExtractExpression, ctx: CallContext): Value {
  const value = ctx.resolve(expression);
  const isRead = isTime(value.type) || value.type.kind === 'TIME' || value.type.kind === 'INTERVAL';
  return isRead ? value : ctx.coerce(value, TIMESTAMP, 'EXTRACT');
}

function partOf<P extends string>({ part }: ExtractExpression, type: Type, allowed: readonly P[], ctx: CallContext): P {
  const name = part.name.toUpperCase();
  const found = allowed.find((each) => each === name);
  if (found !== undefined) return found;
  const message = ALL_PARTS.some((each) => each === name)
    ? `EXTRACT from a ${type.kind} does not take ${name}`
    : `"${part.name}" is not a part of a time`;
  const hint = OTHER_PARTS.get(name) ?? `parts are ${allowed.join(', ')}`;
  return ctx.fail('bad_unit', message, part.position, hint);
}

function localTime(value: Value, zone: TimeZone): Value['expr'] {
  return callOf('to_local', [value.expr], DATETIME, { zone, safe: false });
}
