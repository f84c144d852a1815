/** TIMESTAMP(x), DATETIME(x) and DATE(x), which convert between time types, and STRING(x). */
import type { CallExpression } from '../../ast';
import { DATE, DATETIME, INT64, isTime, STRING, TIMESTAMP, type Type } from '../../ir/types';
import { argument, argumentName, callValue, checkCount, nullValue, typedArgument } from '../arguments';
import type { CallContext, FunctionSpec, Value } from '../function';
import { retype, timeArgument } from './time-argument';
import { zoneArgument } from './zone-argument';

export const timestamp: FunctionSpec = {
  names: ['TIMESTAMP'],
  kind: 'scalar',
  safe: true,
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
    const zone = zoneArgument(call.args[1], ctx);
    if (zone === null) return nullValue(call, TIMESTAMP);
    return callValue(call, 'from_local', [toTime(value, DATETIME, call, ctx)], TIMESTAMP, { zone });
  },
};

export const datetime: FunctionSpec = {
  names: ['DATETIME'],
  kind: 'scalar',
  safe: true,
  usage: 'DATETIME(value[, time_zone])',
  summary:
    'What a clock in UTC or a time zone shows; answers write it as text. Also DATETIME(year, month, day, hour, minute, second).',
  resolve: (call, ctx) => {
    if (call.args.length === 6) return fromParts(call, ctx, 'make_datetime', DATETIME);
    checkCount(call, ctx, datetime.usage, 1, 2);
    return inZone(call, ctx, DATETIME);
  },
};

export const date: FunctionSpec = {
  names: ['DATE'],
  kind: 'scalar',
  safe: true,
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
  safe: false,
  usage: 'STRING(time)',
  summary: 'A TIMESTAMP, DATETIME or DATE as CAST writes it.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, string.usage, 1);
    const value = timeArgument(call, ctx, 0, TIMESTAMP);
    return finish(call, {
      ...value,
      type: STRING,
      expr: { kind: 'cast', operand: value.expr, type: STRING, safe: false },
    });
  },
};

function inZone(call: CallExpression, ctx: CallContext, type: Type): Value {
  const value = argument(call, ctx, 0);
  if (call.args.length === 1) return finish(call, toTime(value, type, call, ctx));
  const zone = zoneArgument(call.args[1], ctx);
  if (zone === null) return nullValue(call, type);
  if (value.type.kind === 'DATETIME' || value.type.kind === 'DATE') {
    ctx.fail(
      'wrong_arguments',
      `${call.name} of a ${value.type.kind} takes no time zone`,
      call.args[1]?.position ?? call.position
    );
  }
  const instant = toTime(value, TIMESTAMP, call, ctx);
  return callValue(call, type.kind === 'DATE' ? 'to_local_date' : 'to_local', [instant], type, { zone });
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
  if (call.safe) ctx.fail('not_supported', `SAFE.${call.name} of parts is not supported`, call.namePosition);
  const parts = call.args.map((_, index) => typedArgument(call, ctx, index, INT64));
  return callValue(call, fn, parts, type);
}

function finish(call: CallExpression, value: Value): Value {
  return { ...value, text: null, position: call.position };
}
