/** GENERATE_ARRAY, GENERATE_TIMESTAMP_ARRAY and GENERATE_DATE_ARRAY. Both ends are inclusive; the length is bounded. */
import type { CallExpression } from '../../ast';
import { arrayOf, DATE, FLOAT64, INT64, TIMESTAMP } from '../../ir/types';
import type { Expr } from '../../ir/expression';
import { addDays } from '../../time/calendar';
import { MICROS_PER_DAY } from '../../time/parse-iso';
import { UNIT_MICROS, UNIT_MONTHS, type TimeUnit } from '../../time/time-units';
import {
  argument,
  argumentName,
  callValue,
  checkCount,
  nullValue,
  valueOf,
  numericValue,
  typedArgument,
  wholeNumber,
} from '../arguments';
import type { CallContext, FunctionSpec, Value } from '../function';
import { MAX_LIST_LENGTH } from '../limits';
import { intervalArgument } from '../time/arguments/interval-argument';
import { retype } from '../time/arguments/time-argument';
import { itemAt } from '../../items';

/** These are written out in the statement. */
const MAX_DATES_BY_MONTHS = 1000;

export const generateArray: FunctionSpec = {
  names: ['GENERATE_ARRAY'],
  kind: 'scalar',
  safe: true,
  usage: 'GENERATE_ARRAY(start, end[, step])',
  summary: `Numbers from start to end; at most ${MAX_LIST_LENGTH.toLocaleString('en-US')} from constants.`,
  resolve: (call, ctx) => {
    checkCount(call, ctx, generateArray.usage, 2, 3);
    const numbers = call.args.map((_, index) =>
      numericValue(argument(call, ctx, index), ctx, argumentName(call, index))
    );
    const type = numbers.every((value) => value.type.kind === 'INT64') ? INT64 : FLOAT64;
    const one = wholeNumber(1n);
    numbers[2] ??= { expr: one, type: INT64, text: null, position: call.position };
    const args = numbers.map((value, index) => ctx.coerce(value, type, argumentName(call, index)));
    if (call.safe && isZero(args[2], ctx)) return nullValue(call, arrayOf(type));
    checkLength(call, ctx, args, 1);
    return callValue(call, 'generate_array', args, arrayOf(type));
  },
};

export const generateTimestampArray: FunctionSpec = {
  names: ['GENERATE_TIMESTAMP_ARRAY'],
  kind: 'scalar',
  safe: true,
  usage: 'GENERATE_TIMESTAMP_ARRAY(start, end, INTERVAL n unit)',
  summary: `Times from start to end; at most ${MAX_LIST_LENGTH.toLocaleString('en-US')} from constants.`,
  resolve: (call, ctx) => {
    checkCount(call, ctx, generateTimestampArray.usage, 3);
    const bounds = [0, 1].map((index) => typedArgument(call, ctx, index, TIMESTAMP));
    const { amount, unit } = intervalArgument(call, ctx, 2, [
      'MICROSECOND',
      'MILLISECOND',
      'SECOND',
      'MINUTE',
      'HOUR',
      'DAY',
    ]);
    const args = [...bounds, amount];
    checkLength(call, ctx, args, Number(UNIT_MICROS[unit]));
    return callValue(call, 'generate_timestamp_array', args, arrayOf(TIMESTAMP), { unit });
  },
};

export const generateDateArray: FunctionSpec = {
  names: ['GENERATE_DATE_ARRAY'],
  kind: 'scalar',
  safe: true,
  usage: 'GENERATE_DATE_ARRAY(start, end[, INTERVAL n unit])',
  summary: 'Dates from start to end, of each day unless an interval of days or weeks is given.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, generateDateArray.usage, 2, 3);
    const bounds = [0, 1].map((index) => retype(typedArgument(call, ctx, index, DATE), TIMESTAMP, ctx));
    const one = wholeNumber(1n);
    const { amount, unit } =
      call.args.length === 3
        ? intervalArgument(call, ctx, 2, ['DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'])
        : { amount: { expr: one, type: INT64, text: null, position: call.position }, unit: 'DAY' as const };
    const args = [...bounds, amount];
    if (UNIT_MONTHS[unit] !== undefined) return datesByMonths(call, ctx, args, unit);
    checkLength(call, ctx, args, Number(UNIT_MICROS[unit]));
    return callValue(call, 'generate_timestamp_array', args, arrayOf(DATE), { unit });
  },
};

/** Each date is a step after the one before, so that the 31st stays the 28th after a February. */
function datesByMonths(call: CallExpression, ctx: CallContext, args: readonly Value[], unit: TimeUnit): Value {
  const type = arrayOf(DATE);
  const [start, end, step] = args.map((arg) => ctx.constant(arg)?.value);
  if (start === undefined || end === undefined || step === undefined) {
    const hint = `write constants, or DATE_ADD(start, INTERVAL n ${unit}) over GENERATE_ARRAY`;
    ctx.fail('not_constant', `the arguments of ${call.name} by ${unit} must be constants`, call.position, hint);
  }
  if (start === null || end === null || step === null) return nullValue(call, type);
  const [last, months] = [BigInt(end) / MICROS_PER_DAY, BigInt(step)];
  if (months === 0n && call.safe) return nullValue(call, type);
  if (months === 0n) {
    ctx.fail('wrong_arguments', `the step of ${call.name} must not be zero`, itemAt(args, 2).position);
  }
  const items: Expr[] = [];
  let date: bigint | undefined = BigInt(start) / MICROS_PER_DAY;
  while (date !== undefined && (months > 0n ? date <= last : date >= last)) {
    items.push({ kind: 'literal', type: DATE, value: date });
    if (items.length > MAX_DATES_BY_MONTHS) {
      const most = MAX_DATES_BY_MONTHS.toLocaleString('en-US');
      ctx.fail('too_complex', `${call.name} by ${unit} makes more than ${most} elements`, call.position);
    }
    date = addDays(date, months, unit);
  }
  return valueOf(call, { kind: 'array', items, type });
}

function isZero(step: Value | undefined, ctx: CallContext): boolean {
  return step !== undefined && Number(ctx.constant(step)?.value ?? 1) === 0;
}

/** Checks constant lengths at compile time; the store checks others for each row. */
function checkLength(call: CallExpression, ctx: CallContext, args: readonly Value[], scale: number): void {
  const [start, end, step] = args.map((arg) => ctx.constant(arg)?.value);
  if (step === 0n || step === 0) {
    ctx.fail('wrong_arguments', `the step of ${call.name} must not be zero`, itemAt(args, 2).position);
  }
  if (!isNumber(start) || !isNumber(end) || !isNumber(step)) return;
  const count = (Number(end) - Number(start)) / (Number(step) * scale);
  // Written so that NaN and infinity are refused too.
  if (count < MAX_LIST_LENGTH) return;
  ctx.fail(
    'too_complex',
    `${call.name} makes more than ${MAX_LIST_LENGTH.toLocaleString('en-US')} elements`,
    call.position
  );
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || typeof value === 'number';
}
