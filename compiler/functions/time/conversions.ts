/** TIMESTAMP(x), DATETIME(x) and DATE(x), which convert between time types, and STRING(x). */
import { jsonTo } from '../json/json-values';
import type { CallExpression } from '../../ast';
import { BOOL, DATE, DATETIME, INT64, isTime, STRING, TIMESTAMP, type Type } from '../../ir/types';
import { callOf } from '../../ir/operations/call';
import type { Expr } from '../../ir/expression';
import {
  argument,
  argumentName,
  callValue,
  checkCount,
  nullValue,
  typedArgument,
  valueOf,
  ZONE_AFTER_VALUE,
} from '../arguments';
import type { CallContext, FunctionSpec, Value } from '../function';
import { readDatetime, readTimestamp } from '../../time/time-text';
import { datetimeAt } from './time-of-day';
import { retype, timeArgument } from './arguments/time-argument';
import { zoneArgument } from './arguments/zone-argument';

export const timestamp: FunctionSpec = {
  names: ['TIMESTAMP'],
  kind: 'scalar',
  safe: true,
  constants: ZONE_AFTER_VALUE,
  usage: 'TIMESTAMP(value[, time_zone])',
  summary: 'The instant of a text, DATETIME or DATE, read in UTC or a time zone.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, timestamp.usage, 1, 2);
    const value = argument(call, ctx, 0);
    if (call.args.length === 1) return finish(call, toTime(value, TIMESTAMP, call, ctx));
    if (value.type.kind === 'TIMESTAMP') {
      ctx.fail(
        'wrong_arguments',
        'TIMESTAMP of a TIMESTAMP takes no time zone',
        call.args[1]?.position ?? call.position
      );
    }
    const zone = zoneArgument(call.args[1], ctx, call.safe);
    if (zone === null) return nullValue(call, TIMESTAMP);
    if (hasOwnZone(value, ctx)) {
      if (call.safe) return nullValue(call, TIMESTAMP);
      ctx.fail('type_mismatch', 'TIMESTAMP of a text with a time zone takes no other', value.position);
    }
    const local = toTime(value, DATETIME, call, ctx);
    return callValue(call, 'from_local', [local], TIMESTAMP, { zone, safe: call.safe });
  },
};

function hasOwnZone(value: Value, ctx: CallContext): boolean {
  const text = value.type.kind === 'STRING' ? ctx.constant(value)?.value : undefined;
  return typeof text === 'string' && readDatetime(text) === null && readTimestamp(text) !== null;
}

export const datetime: FunctionSpec = {
  names: ['DATETIME'],
  kind: 'scalar',
  safe: true,
  constants: ZONE_AFTER_VALUE,
  usage: 'DATETIME(value[, time_zone])',
  summary:
    'What a clock in UTC or a time zone shows; answers write it as text. Also DATETIME(date, time) and DATETIME(year, month, day, hour, minute, second).',
  resolve: (call, ctx) => {
    if (call.args.length === 6) return fromParts(call, ctx, 'make_datetime', DATETIME);
    const atTime = datetimeAt(call, ctx);
    if (atTime !== undefined) return atTime;
    checkCount(call, ctx, datetime.usage, 1, 2);
    return inZone(call, ctx, DATETIME);
  },
};

export const date: FunctionSpec = {
  names: ['DATE'],
  kind: 'scalar',
  safe: true,
  constants: ZONE_AFTER_VALUE,
  usage: 'DATE(value[, time_zone])',
  summary: 'The date of a time, in UTC or a time zone. Also DATE(year, month, day).',
  resolve: (call, ctx) => {
    if (call.args.length === 3) return fromParts(call, ctx, 'make_date', DATE);
    checkCount(call, ctx, date.usage, 1, 2);
    return inZone(call, ctx, DATE);
  },
};

export const string: FunctionSpec = {
  names: ['STRING'],
  kind: 'scalar',
  safe: true,
  constants: ZONE_AFTER_VALUE,
  usage: 'STRING(value[, time_zone])',
  summary:
    'A time as CAST writes it, a TIMESTAMP in UTC or a time zone; the text of a JSON string, other JSON values fail.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, string.usage, 1, 2);
    const given = argument(call, ctx, 0);
    if (call.args.length === 2) return textInZone(call, ctx);
    if (given.type.kind === 'JSON') return jsonTo(call, given, STRING);
    const value = given.type.kind === 'TIME' ? given : timeArgument(call, ctx, 0, TIMESTAMP);
    return finish(call, {
      ...value,
      type: STRING,
      expr: { kind: 'cast', operand: value.expr, type: STRING, safe: false },
    });
  },
};

/** `2026-03-01 09:00:00.500+01`: local time and offset, which has minutes only if they are not zero. */
function textInZone(call: CallExpression, ctx: CallContext): Value {
  const value = typedArgument(call, ctx, 0, TIMESTAMP);
  const zone = zoneArgument(call.args[1], ctx);
  if (zone === null) return nullValue(call, STRING);
  const local = callOf('to_local', [value.expr], DATETIME, { zone, safe: call.safe });
  const clock: Expr = { kind: 'cast', operand: local, type: STRING, safe: false };
  const written = callOf('format_time', [value.expr], STRING, { elements: [{ kind: 'code', code: 'Ez' }], zone });
  const offset = callOf('replace', [written, text(':00'), text('')], STRING);
  const whole = callOf('concat', [clock, offset], STRING);
  if (!call.safe) return valueOf(call, whole);
  // An instant without a local time has no offset either.
  const branches = [{ when: callOf('is_not_null', [local], BOOL), then: whole }];
  return valueOf(call, { kind: 'case', branches, otherwise: null, type: STRING });
}

function text(value: string): Expr {
  return { kind: 'literal', type: STRING, value };
}

function inZone(call: CallExpression, ctx: CallContext, type: Type): Value {
  const value = argument(call, ctx, 0);
  if (call.args.length === 1) {
    if (type.kind === 'DATETIME' && value.text === 'literal' && !call.safe && hasOwnZone(value, ctx)) {
      ctx.fail(
        'type_mismatch',
        'DATETIME of a text takes no time zone',
        value.position,
        'write DATETIME(TIMESTAMP(...))'
      );
    }
    // DATE reads a text as a TIMESTAMP, with a time of day or not.
    const isText = type.kind === 'DATE' && value.type.kind === 'STRING';
    return finish(
      call,
      isText ? retype(toTime(value, TIMESTAMP, call, ctx), DATE, ctx) : toTime(value, type, call, ctx)
    );
  }
  const zone = zoneArgument(call.args[1], ctx, call.safe);
  if (zone === null) return nullValue(call, type);
  if (value.type.kind === 'DATETIME' || value.type.kind === 'DATE') {
    ctx.fail(
      'wrong_arguments',
      `${call.name} of a ${value.type.kind} takes no time zone`,
      call.args[1]?.position ?? call.position
    );
  }
  const instant = toTime(value, TIMESTAMP, call, ctx);
  return callValue(call, type.kind === 'DATE' ? 'to_local_date' : 'to_local', [instant], type, {
    zone,
    safe: call.safe,
  });
}

/** Text is parsed as by CAST. */
function toTime(value: Value, type: Type, call: CallExpression, ctx: CallContext): Value {
  if (isTime(value.type)) return retype(value, type, ctx);
  if (value.type.kind === 'STRING' && (value.text === null || call.safe)) {
    return { ...value, type, text: null, expr: { kind: 'cast', operand: value.expr, type, safe: call.safe } };
  }
  return ctx.coerce(value, type, argumentName(call, 0));
}

function fromParts(call: CallExpression, ctx: CallContext, fn: 'make_date' | 'make_datetime', type: Type): Value {
  const parts = call.args.map((_, index) => typedArgument(call, ctx, index, INT64));
  return callValue(call, fn, parts, type, { safe: call.safe });
}

function finish(call: CallExpression, value: Value): Value {
  return { ...value, text: null, position: call.position };
}
