/** Constant folding of function calls: time bounds must be known before parts are chosen. */
import { type Constant, constantOf } from '../ir/constant';
import type { CallExpr, LiteralExpr } from '../ir/expression';
import type { OpName, OptionsOf } from '../ir/operations/ops';
import { INT64, STRING, TIMESTAMP, DATE, DATETIME, type Type } from '../ir/types';
import { addDays, addMicros, lastDayOf, truncateDays, truncateMicros } from '../time/calendar';
import { floorDivide, MAX_DAYS, MAX_MICROS, MICROS_PER_DAY, MIN_DAYS, MIN_MICROS } from '../time/parse-iso';
import { fromLocalMicros, toLocalMicros } from '../time/time-zone';
import type { TimeUnit } from '../time/time-units';
import { isAscii } from './text/ascii';

/** Evaluates a call on constants; undefined leaves it to the store. `type` is that of the first operand. */
type Fold<O extends OpName = OpName> = (
  values: readonly Constant[],
  options: OptionsOf<O>,
  type: Type
) => LiteralExpr | undefined;

const FOLDS: { readonly [O in OpName]?: Fold<O> } = {
  coalesce: (values, _, type) => ({ kind: 'literal', type, value: values.find((value) => value !== null) ?? null }),
  nullif,
  time_add: (values, { unit }, type) => shifted(values, unit, type, 1n),
  time_sub: (values, { unit }, type) => shifted(values, unit, type, -1n),
  time_trunc: ofWhole<'time_trunc'>(truncated),
  last_day: ofWhole<'last_day'>((x, { unit }) => whole(DATE, lastDayOf(x, unit))),
  to_local: ofWhole<'to_local'>((x, { zone }) => time(DATETIME, toLocalMicros(x, zone))),
  to_local_date: ofWhole<'to_local_date'>((x, { zone }) =>
    time(DATE, floorDivide(toLocalMicros(x, zone), MICROS_PER_DAY))
  ),
  from_local: ofWhole<'from_local'>((x, { zone }) => time(TIMESTAMP, fromLocalMicros(x, zone))),
  timestamp_from: ofWhole<'timestamp_from'>((x, { scale }) => whole(TIMESTAMP, x * BigInt(scale))),
  unix_seconds: ofWhole((x) => whole(INT64, floorDivide(x, 1_000_000n))),
  unix_millis: ofWhole((x) => whole(INT64, floorDivide(x, 1_000n))),
  unix_micros: ofWhole((x) => whole(INT64, x)),
  // Restricted to ASCII: stores differ in the upper case of other letters.
  lower: ascii((x) => x.toLowerCase()),
  upper: ascii((x) => x.toUpperCase()),
  trim: ascii((x) => x.trim()),
  length: strict(([x]) => whole(INT64, BigInt([...String(x)].length))),
  concat: strict((values) => text(values.map(String).join(''))),
};

/** Folds a call whose arguments are all constants; a parameter that failed to convert is not one. */
export function foldCall<O extends OpName>({ fn, args, options }: CallExpr<O>): LiteralExpr | undefined {
  const fold: Fold<O> | undefined = FOLDS[fn];
  const [first] = args;
  if (fold === undefined || first === undefined) return undefined;
  const values: Constant[] = [];
  for (const arg of args) {
    const constant = constantOf(arg);
    if (constant === undefined) return undefined;
    values.push(constant.value);
  }
  return fold(values, options, first.type);
}

/** Returns NULL for any NULL, so that `fold` sees none. The NULL has the type that the result would have. */
function strict<O extends OpName>(fold: Fold<O>): Fold<O> {
  return (values, options, type) => (values.includes(null) ? undefined : fold(values, options, type));
}

/** Folds the call of one whole number or time; NULL is left to the store. */
function ofWhole<O extends OpName>(
  fold: (x: bigint, options: OptionsOf<O>, type: Type) => LiteralExpr | undefined
): Fold<O> {
  return ([x], options, type) => (x === undefined || x === null ? undefined : fold(BigInt(x), options, type));
}

function ascii(map: (x: string) => string): Fold {
  return strict((values) => {
    const [x] = values;
    if (values.length !== 1 || typeof x !== 'string') return undefined;
    return isAscii(x) ? text(map(x)) : undefined;
  });
}

function shifted([x, amount]: readonly Constant[], unit: TimeUnit, type: Type, sign: bigint): LiteralExpr | undefined {
  if (x === null || amount === null) return { kind: 'literal', type, value: null };
  if (x === undefined || amount === undefined) return undefined;
  const add = type.kind === 'DATE' ? addDays : addMicros;
  return whole(type, add(BigInt(x), BigInt(amount) * sign, unit));
}

function truncated(x: bigint, { unit, weekday, zone }: OptionsOf<'time_trunc'>, type: Type): LiteralExpr | undefined {
  if (type.kind === 'DATE') return time(type, truncateDays(x, unit, weekday));
  const local = toLocalMicros(x, zone);
  const start = truncateMicros(local, unit, weekday);
  // Offsets do not change within an hour; longer units may contain a change.
  const short =
    unit === 'HOUR' || unit === 'MINUTE' || unit === 'SECOND' || unit === 'MILLISECOND' || unit === 'MICROSECOND';
  return time(type, short ? x - (local - start) : fromLocalMicros(start, zone));
}

/** Numbers and times compare by value; NaN is left to the store. */
function nullif([x, y]: readonly Constant[], _: OptionsOf<'nullif'>, type: Type): LiteralExpr | undefined {
  if (x === undefined || y === undefined || Number.isNaN(x) || Number.isNaN(y)) return undefined;
  const equal = x !== null && y !== null && (typeof x === typeof y ? x === y : Number(x) === Number(y));
  return { kind: 'literal', type, value: equal ? null : x };
}

function whole(type: Type, value: bigint | undefined): LiteralExpr | undefined {
  return value === undefined ? undefined : { kind: 'literal', type, value };
}

/** A time outside of the years 0001 to 9999 is left to the store, where it fails. */
function time(type: Type, value: bigint): LiteralExpr | undefined {
  const [least, most] = type.kind === 'DATE' ? [MIN_DAYS, MAX_DAYS] : [MIN_MICROS, MAX_MICROS];
  return whole(type, value < least || value > most ? undefined : value);
}

function text(value: string): LiteralExpr {
  return { kind: 'literal', type: STRING, value };
}
