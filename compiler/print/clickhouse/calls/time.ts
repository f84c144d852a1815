/** Time functions. Times are microseconds in UTC; units of constant length use plain arithmetic. */
import type { CallExpr } from '../../../ir/expression';
import { MAX_MICROS, MICROS_PER_DAY, MIN_MICROS } from '../../../time/parse-iso';
import { UNIT_MICROS, UNIT_MONTHS, type TimeUnit } from '../../../time/time-units';
import { parseTimeZone, type TimeZone } from '../../../time/time-zone';
import { operands } from '../../bind-once';
import type { CallPrinter } from '../../dialect';
import { bindOnce } from '../bind-once';
import { failsWhen, fromMicros, int, micros, quoteText } from '../literals';
import { checkedDate } from '../casts';
import { toInt } from './operators';

const MICROS_PER_MINUTE = 60_000_000n;
const DAY = 'DAY';
/** Days from 1970-01-01, a Thursday, to the next Sunday. */
const DAYS_TO_SUNDAY = 3;
const MONDAY = 1;

export const time: Readonly<Record<string, CallPrinter>> = {
  time_trunc: (args, call) =>
    bindOnce(operands(args, call.args), (x) => {
      const unit = unitOf(call);
      const weekday = weekdayOf(call);
      const zone = zoneOf(call);
      const clock = call.type.kind !== 'DATE' && !isSubHour(unit) && !isUtc(zone);
      if (!clock) return truncate(String(x), unit, weekday);
      const local = toLocal(String(x), zone);
      // At the end of daylight saving time an hour occurs twice; truncation must not move the second occurrence to the
      // first.
      if (unit === 'HOUR') return fromMicros(`(${micros(String(x))} - ${rest(local, UNIT_MICROS.HOUR as bigint, 0n)})`);
      return fromLocal(truncate(local, unit, weekday), zone);
    }),
  time_add: (args, call) => shift(args, call, '+'),
  time_sub: (args, call) => shift(args, call, '-'),
  timestamp_diff: ([a, b], call) =>
    `intDiv(${micros(String(a))} - ${micros(String(b))}, ${int(UNIT_MICROS[unitOf(call)] as bigint)})`,
  datetime_diff: (args, call) =>
    bindOnce(operands(args, call.args), (a, b) => {
      const unit = unitOf(call);
      return `(${turn(String(a), unit, weekdayOf(call))} - ${turn(String(b), unit, weekdayOf(call))})`;
    }),
  to_local: (args, call) => bindOnce(operands(args, call.args), (x) => toLocal(String(x), zoneOf(call))),
  to_local_date: (args, call) =>
    bindOnce(operands(args, call.args), (x) => truncate(toLocal(String(x), zoneOf(call)), DAY, 0)),
  from_local: ([x], call) => fromLocal(String(x), zoneOf(call)),
  make_date: (args, call) => madeDate(args, call, () => "'00:00:00'"),
  make_datetime: (args, call) =>
    madeDate(args, call, (...[h, m, s]) =>
      [h, m, s].map((part) => `leftPad(toString(${part}), 2, '0')`).join(", ':', ")
    ),
  extract: (args, { args: exprs, options }) =>
    bindOnce(operands(args, exprs), (x) => extract(String(x), String(options?.['part']))),
  unix_seconds: (args, call) => bindOnce(operands(args, call.args), (x) => turn(String(x), 'SECOND', 0)),
  unix_millis: (args, call) => bindOnce(operands(args, call.args), (x) => turn(String(x), 'MILLISECOND', 0)),
  unix_micros: ([x]) => micros(String(x)),
  timestamp_from: (args, { args: exprs, options }) => {
    const scale = BigInt(Number(options?.['scale']));
    return bindOnce(operands(args, exprs), (n) => {
      const outside = `${n} < ${int(MIN_MICROS / scale)} OR ${n} > ${int(MAX_MICROS / scale)}`;
      const condition = options?.['safe'] === true ? outside : failsWhen(outside, 'time_out_of_range');
      return `(CASE WHEN ${condition} THEN NULL ELSE ${fromMicros(`(${n} * ${int(scale)})`)} END)`;
    });
  },
};

export function zoneOf({ options }: CallExpr): TimeZone {
  const zone = parseTimeZone(String(options?.['zone'] ?? 'UTC'));
  if (zone === undefined) throw new Error('a time zone reached the printer unchecked');
  return zone;
}

/** Local time in the zone. @param x a short text, which is repeated */
export function toLocal(x: string, zone: TimeZone): string {
  if (isUtc(zone)) return x;
  // Converts via text: timeZoneOffset is a day off in zones that have skipped a day (26.7).
  if (zone.kind === 'named') return `toDateTime64(toString(toTimeZone(${x}, ${quoteText(zone.name)})), 6, 'UTC')`;
  return fromMicros(`(${micros(x)} + ${offsetMicros(x, zone)})`);
}

export function offsetMicros(x: string, zone: TimeZone): string {
  if (zone.kind === 'offset') return int(BigInt(zone.minutes) * MICROS_PER_MINUTE);
  return `(${micros(toLocal(x, zone))} - ${micros(x)})`;
}

/** The instant of a local time. */
export function fromLocal(x: string, zone: TimeZone): string {
  if (isUtc(zone)) return x;
  if (zone.kind === 'offset') return fromMicros(`(${micros(x)} - ${offsetMicros(x, zone)})`);
  return `toTimeZone(toDateTime64(toString(${x}), 6, ${quoteText(zone.name)}), 'UTC')`;
}

function unitOf({ options }: CallExpr): TimeUnit {
  return options?.['unit'] as TimeUnit;
}

function weekdayOf({ options }: CallExpr): number {
  return Number(options?.['weekday'] ?? 0);
}

function isUtc(zone: TimeZone): boolean {
  return zone.kind === 'offset' && zone.minutes === 0;
}

/** Zone offsets are whole minutes, so these units start at the same instants in all zones. */
function isSubHour(unit: TimeUnit): boolean {
  return unit === 'MICROSECOND' || unit === 'MILLISECOND' || unit === 'SECOND' || unit === 'MINUTE';
}

/** Microseconds since the start of the unit; units are counted from `start`. */
function rest(x: string, length: bigint, start: bigint): string {
  const from = start === 0n ? micros(x) : `(${micros(x)} - ${int(start)})`;
  return `toInt64(positiveModulo(${from}, ${int(length)}))`;
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

function shift(args: readonly string[], call: CallExpr, sign: '+' | '-'): string {
  const [x, amount] = args;
  const unit = unitOf(call);
  const months = UNIT_MONTHS[unit];
  if (months !== undefined) {
    const count = `accurateCast(toInt128(${amount}) * ${months}, 'Nullable(Int32)')`;
    return `${sign === '+' ? 'addMonths' : 'subtractMonths'}(${x}, ${count})`;
  }
  const length = int(UNIT_MICROS[unit] as bigint);
  return fromMicros(toInt(`(${micros(String(x))} ${sign} toInt128(${amount}) * ${length})`));
}

function madeDate(args: readonly string[], call: CallExpr, clock: (...rest: string[]) => string): string {
  return bindOnce(operands(args, call.args), (...parts) => {
    const [y, m, d, ...others] = parts;
    const two = (part?: string): string => `leftPad(toString(${part}), 2, '0')`;
    const text = `concat(leftPad(toString(${y}), 4, '0'), '-', ${two(m)}, '-', ${two(d)}, ' ', ${clock(...others)}, '.000000')`;
    return checkedDate(text, false);
  });
}

/** @param x a short text, which is repeated */
function extract(x: string, part: string): string {
  switch (part) {
    case 'DATE':
      return truncate(x, DAY, 0);
    case 'DATETIME':
      return x;
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

const PART_FUNCTIONS: Readonly<Record<string, string>> = {
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
};
