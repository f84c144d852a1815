/** CURRENT_*: all calls return the one time of the request, so that a query is consistent and repeatable. */
import { now } from '../../ir/request-time';
import { DATE, DATETIME, TIME, type Type } from '../../ir/types';
import { floorDivide, MICROS_PER_DAY } from '../../time/parse-iso';
import { toLocalMicros } from '../../time/time-zone';
import { checkCount, nullValue, valueOf, argumentsAt } from '../arguments';
import type { FunctionSpec } from '../function';
import { zoneArgument } from './arguments/zone-argument';

export const currentTimestamp: FunctionSpec = {
  names: ['CURRENT_TIMESTAMP'],
  kind: 'scalar',
  safe: true,
  usage: 'CURRENT_TIMESTAMP()',
  summary: 'The time at which the request arrived.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, currentTimestamp.usage, 0);
    return valueOf(call, now());
  },
};

export const currentDatetime = reading(DATETIME, 'What a clock shows', (micros) => micros);
export const currentTime = reading(
  TIME,
  'The time of day',
  (micros) => micros - floorDivide(micros, MICROS_PER_DAY) * MICROS_PER_DAY
);
export const currentDate = reading(DATE, 'The date', (micros) => floorDivide(micros, MICROS_PER_DAY));

function reading(type: Type, what: string, convert: (micros: bigint) => bigint): FunctionSpec {
  const name = `CURRENT_${type.kind}`;
  const usage = `${name}([time_zone])`;
  return {
    names: [name],
    kind: 'scalar',
    safe: true,
    constants: argumentsAt(0),
    usage,
    summary: `${what} when the request arrived, in UTC or a time zone.`,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 0, 1);
      const zone = zoneArgument(call.args[0], ctx, call.safe);
      if (zone === null) return nullValue(call, type);
      const local = toLocalMicros(ctx.time.fix(), zone);
      return valueOf(call, { kind: 'literal', type, value: convert(local) });
    },
  };
}
