/** Time functions. Times are microseconds in UTC; units of constant length use plain arithmetic. */
import { timeKind } from '../../../base/time/time-kind';
import type { CallExpr } from '../../../../ir/expression';
import type { TimeOps } from '../../../../ir/operations/ops';
import { MAX_MICROS, MICROS_PER_DAY, MIN_MICROS } from '../../../../time/parse-iso';
import { toLocalLimits, truncateLimits } from '../../../../time/time-limits';
import { type TimePart, type TimeUnit, UNIT_MICROS, unitMicros } from '../../../../time/time-units';
import { midnightChanges } from '../../../../time/zone-changes';
import { daysOfMonth } from '../../../base/time/parse-fields';
import { isSubHour, isUtc } from '../../../base/time/time';
import type { CallPrinters } from '../../../dialect/dialect';
import { bindOnce, nameOnce } from '../../values/bind-once';
import { failsWhen, fromMicros, int, micros } from '../../values/literals';
import { formatTime, parseTimestamp } from './time-format';
import { makeDate, makeDatetime } from './time-parts';
import { whereWithin } from './time-range';
import { shift } from './time-shift';
import { firstInstant, fromLocal, instantOf, localOf, toLocal } from './zones';

/** Days from 1970-01-01, a Thursday, to the next Sunday. */
const DAYS_TO_SUNDAY = 3;
const MONDAY = 1;
/** More than a zone and the start of a week take a time back before the first. */
const SPARE_DAYS = 8n;

export const time: CallPrinters<TimeOps> = {
  time_trunc: (operands, call) => bindOnce(operands, (x) => truncated(x, call)),
  time_add: shift(1n),
  time_sub: shift(-1n),
  last_day: (operands, { options: { unit } }) => bindOnce(operands, (x) => lastDay(x, unit)),
  timestamp_diff: ([a, b], { options }) =>
    `intDiv(${micros(a.sql)} - ${micros(b.sql)}, ${int(unitMicros(options.unit))})`,
  datetime_diff: (operands, { options: { unit, weekday } }) =>
    bindOnce(operands, (a, b) => `(${turn(a, unit, weekday)} - ${turn(b, unit, weekday)})`),
  to_local: (operands, { options: { zone, safe } }) => bindOnce(operands, (x) => toLocal(x, zone, safe)),
  to_local_date: (operands, { options: { zone, safe } }) =>
    bindOnce(operands, (x) =>
      whereWithin(x, 'TIMESTAMP', toLocalLimits(zone), safe, truncate(localOf(x, zone), 'DAY', 0))
    ),
  from_local: (operands, { options: { zone, safe } }) => bindOnce(operands, (x) => fromLocal(x, zone, safe)),
  make_date: makeDate,
  make_datetime: makeDatetime,
  extract: (operands, { options }) => bindOnce(operands, (x) => extract(x, options.part)),
  unix_seconds: (operands) => bindOnce(operands, (x) => turn(x, 'SECOND', 0)),
  unix_millis: (operands) => bindOnce(operands, (x) => turn(x, 'MILLISECOND', 0)),
  unix_micros: ([x]) => micros(x.sql),
  timestamp_from: (operands, { options }) => {
    const scale = BigInt(options.scale);
    return bindOnce(operands, (n) => {
      const outside = `${n} < ${int(MIN_MICROS / scale)} OR ${n} > ${int(MAX_MICROS / scale)}`;
      const condition = options.safe ? outside : failsWhen(outside, 'time_out_of_range');
      return `(CASE WHEN ${condition} THEN NULL ELSE ${fromMicros(`(${n} * ${int(scale)})`)} END)`;
    });
  },
  format_time: formatTime,
  parse_timestamp: parseTimestamp,
};

/** Microseconds since the start of the unit; units are counted from `start`. */
function rest(x: string, length: bigint, start: bigint): string {
  // Counted from before all times, the remainder is never negative: ClickHouse computes `%` faster than positiveModulo.
  const units = (SPARE_DAYS * MICROS_PER_DAY - MIN_MICROS) / length + 1n;
  return `((${micros(x)} + ${int(units * length - start)}) % ${int(length)})`;
}

/** @param x a short text, which is repeated */
function truncated(x: string, { type, options: { unit, weekday, zone, safe } }: CallExpr<'time_trunc'>): string {
  const kind = timeKind(type);
  return whereWithin(x, kind, truncateLimits(kind, unit, weekday, zone), safe, start());

  function start(): string {
    if (kind === 'DATE' || isSubHour(unit) || isUtc(zone)) return truncate(x, unit, weekday);
    const local = localOf(x, zone);
    // At the end of daylight saving time an hour occurs twice; truncation must not move the second occurrence to the
    // first.
    if (unit === 'HOUR') return fromMicros(`(${micros(x)} - ${rest(local, unitMicros('HOUR'), 0n)})`);
    const ofUnit = truncate(local, unit, weekday);
    return midnightChanges(zone).skipped ? nameOnce(ofUnit, (v) => firstInstant(v, zone)) : instantOf(ofUnit, zone);
  }
}

/** @param x a short text, which is repeated */
function lastDay(x: string, unit: TimeUnit): string {
  const last = unit === 'MONTH' ? `toMonth(${x})` : unit === 'QUARTER' ? `(toQuarter(${x}) * 3)` : '12';
  const year = `leftPad(toString(toYear(${x})), 4, '0')`;
  const days = daysOfMonth(`toYear(${x})`, last);
  return `toDateTime64OrNull(concat(${year}, '-', leftPad(toString(${last}), 2, '0'), '-', toString(${days}), ' 00:00:00'), 6, 'UTC')`;
}

/** @param x a short text, which is repeated */
function truncate(x: string, unit: TimeUnit, weekday: number): string {
  const length = UNIT_MICROS[unit === 'ISOWEEK' ? 'WEEK' : unit];
  if (length !== undefined) return fromMicros(`(${micros(x)} - ${rest(x, length, startOf(unit, weekday))})`);
  const day = `(${micros(x)} - ${rest(x, MICROS_PER_DAY, 0n)})`;
  const back = (days: string): string => fromMicros(`(${day} - (${days} - 1) * ${int(MICROS_PER_DAY)})`);
  switch (unit) {
    case 'MONTH':
      return back(`toDayOfMonth(${x})`);
    case 'QUARTER':
      return `addMonths(${back(`toDayOfMonth(${x})`)}, - ((toMonth(${x}) - 1) % 3))`;
    case 'ISOYEAR':
      return back(`((toISOWeek(${x}) - 1) * 7 + toDayOfWeek(${x}))`);
    default:
      return back(`toDayOfYear(${x})`);
  }
}

function startOf(unit: TimeUnit, weekday: number): bigint {
  if (unit !== 'WEEK' && unit !== 'ISOWEEK') return 0n;
  return BigInt((DAYS_TO_SUNDAY + (unit === 'ISOWEEK' ? MONDAY : weekday)) % 7) * MICROS_PER_DAY;
}

/** Sequence number of the unit that contains a time. @param x a short text, which is repeated */
function turn(x: string, unit: TimeUnit, weekday: number): string {
  const length = UNIT_MICROS[unit === 'ISOWEEK' ? 'WEEK' : unit];
  if (length !== undefined) {
    const start = startOf(unit, weekday);
    return `intDiv(${micros(x)} - ${int(start)} - ${rest(x, length, start)}, ${int(length)})`;
  }
  const months = `(toInt64(toYear(${x})) * 12 + toMonth(${x}) - 1)`;
  switch (unit) {
    case 'MONTH':
      return months;
    case 'QUARTER':
      return `intDiv(${months}, 3)`;
    case 'ISOYEAR':
      return `toInt64(toISOYear(${x}))`;
    default:
      return `toInt64(toYear(${x}))`;
  }
}

/** @param x a short text, which is repeated */
function extract(x: string, part: TimePart): string {
  switch (part) {
    case 'MICROSECOND':
      return rest(x, 1_000_000n, 0n);
    case 'MILLISECOND':
      return `intDiv(${rest(x, 1_000_000n, 0n)}, 1000)`;
    case 'DAYOFWEEK':
      return `toInt64(toDayOfWeek(${x}) % 7 + 1)`;
    case 'WEEK':
      return `toInt64(toWeek(${x}, 0))`;
    default:
      return `toInt64(${PART_FUNCTIONS[part]}(${x}))`;
  }
}

const PART_FUNCTIONS = {
  SECOND: 'toSecond',
  MINUTE: 'toMinute',
  HOUR: 'toHour',
  DAY: 'toDayOfMonth',
  DAYOFYEAR: 'toDayOfYear',
  ISOWEEK: 'toISOWeek',
  MONTH: 'toMonth',
  QUARTER: 'toQuarter',
  YEAR: 'toYear',
  ISOYEAR: 'toISOYear',
} as const;
