/** Time functions. TIMESTAMP and DATETIME are both DuckDB's TIMESTAMP, in UTC. */
import type { CallExpr } from '../../../ir/expression';
import { MAX_MICROS, MIN_MICROS } from '../../../time/parse-iso';
import { parseTimeZone, type TimeZone } from '../../../time/time-zone';
import { UNIT_MICROS, UNIT_MONTHS, type TimeUnit } from '../../../time/time-units';
import type { CallPrinter } from '../../dialect';
import { operands } from '../../bind-once';
import { bindOnce } from '../bind-once';
import { quoteText, raise } from '../literals';

const MICROS_PER_MINUTE = 60_000_000;
const DAYS_FROM_MONDAY = [6, 0, 1, 2, 3, 4, 5];

export const time: Readonly<Record<string, CallPrinter>> = {
  time_trunc: (args, call) => {
    const { args: exprs, options, type } = call;
    const unit = unitOf(call);
    const weekday = Number(options?.['weekday'] ?? 0);
    if (type.kind === 'DATE') return `CAST(${truncate(String(args[0]), unit, weekday)} AS DATE)`;
    const zone = zoneOf(call);
    if (isSubHour(unit) || isUtc(zone)) return truncate(String(args[0]), unit, weekday);
    // At the end of daylight saving time an hour occurs twice; truncation must not move the second occurrence to the
    // first.
    if (unit === 'HOUR') {
      return bindOnce(operands(args, exprs), (x) => {
        const local = toLocal(String(x), zone);
        return `(${x} - (${local} - ${truncate(local, unit, weekday)}))`;
      });
    }
    return fromLocal(truncate(toLocal(String(args[0]), zone), unit, weekday), zone);
  },
  time_add: (args, call) => shift(args, call, '+'),
  time_sub: (args, call) => shift(args, call, '-'),
  timestamp_diff: ([a, b], call) => `date_sub('${unitOf(call).toLowerCase()}', ${b}, ${a})`,
  datetime_diff: ([a, b], call) => {
    const unit = unitOf(call);
    const weekday = Number(call.options?.['weekday'] ?? 0);
    switch (unit) {
      case 'WEEK':
      case 'ISOWEEK':
        return `(date_diff('day', ${truncate(String(b), unit, weekday)}, ${truncate(String(a), unit, weekday)}) // 7)`;
      case 'ISOYEAR':
        return `(date_part('isoyear', ${a}) - date_part('isoyear', ${b}))`;
      default:
        return `date_diff('${unit.toLowerCase()}', ${b}, ${a})`;
    }
  },
  to_local: ([x], call) => toLocal(String(x), zoneOf(call)),
  to_local_date: ([x], call) => `CAST(${toLocal(String(x), zoneOf(call))} AS DATE)`,
  from_local: ([x], call) => fromLocal(String(x), zoneOf(call)),
  make_date: ([y, m, d]) => `make_date(${y}, ${m}, ${d})`,
  make_datetime: ([y, mo, d, h, mi, s]) => `make_timestamp(${y}, ${mo}, ${d}, ${h}, ${mi}, CAST(${s} AS DOUBLE))`,
  extract: ([x], { options }) => extract(String(x), String(options?.['part'])),
  unix_seconds: ([x]) => `(epoch_us(date_trunc('second', ${x})) // 1000000)`,
  unix_millis: ([x]) => `(epoch_us(date_trunc('millisecond', ${x})) // 1000)`,
  unix_micros: ([x]) => `epoch_us(${x})`,
  timestamp_from: (args, { args: exprs, options }) => {
    const scale = BigInt(Number(options?.['scale']));
    const outside = options?.['safe'] === true ? 'NULL' : raise('time_out_of_range');
    return bindOnce(
      operands(args, exprs),
      (n) =>
        `(CASE WHEN ${n} < ${MIN_MICROS / scale} OR ${n} > ${MAX_MICROS / scale} THEN ${outside} ` +
        `ELSE make_timestamp(${n} * CAST(${scale} AS BIGINT)) END)`
    );
  },
};

export function zoneOf({ options }: CallExpr): TimeZone {
  const zone = parseTimeZone(String(options?.['zone'] ?? 'UTC'));
  if (zone === undefined) throw new Error('a time zone reached the printer unchecked');
  return zone;
}

/** Local time in the zone. */
export function toLocal(x: string, zone: TimeZone): string {
  if (zone.kind === 'named') return `timezone(${quoteText(zone.name)}, timezone('UTC', ${x}))`;
  return zone.minutes === 0 ? x : `(${x} + ${micros(zone.minutes * MICROS_PER_MINUTE)})`;
}

/** The instant of a local time. */
export function fromLocal(x: string, zone: TimeZone): string {
  if (zone.kind === 'named') return `timezone('UTC', timezone(${quoteText(zone.name)}, ${x}))`;
  return zone.minutes === 0 ? x : `(${x} - ${micros(zone.minutes * MICROS_PER_MINUTE)})`;
}

function unitOf({ options }: CallExpr): TimeUnit {
  return options?.['unit'] as TimeUnit;
}

function isUtc(zone: TimeZone): boolean {
  return zone.kind === 'offset' && zone.minutes === 0;
}

/** Zone offsets are whole minutes, so these units start at the same instants in all zones. */
function isSubHour(unit: TimeUnit): boolean {
  return unit === 'MICROSECOND' || unit === 'MILLISECOND' || unit === 'SECOND' || unit === 'MINUTE';
}

function truncate(x: string, unit: TimeUnit, weekday: number): string {
  if (unit === 'ISOWEEK') return `date_trunc('week', ${x})`;
  if (unit !== 'WEEK') return `date_trunc('${unit.toLowerCase()}', ${x})`;
  const days = DAYS_FROM_MONDAY[weekday] as number;
  if (days === 0) return `date_trunc('week', ${x})`;
  return `(date_trunc('week', ${x} - INTERVAL ${days} DAY) + INTERVAL ${days} DAY)`;
}

function shift(args: readonly string[], call: CallExpr, sign: '+' | '-'): string {
  const [x, amount] = args;
  const unit = unitOf(call);
  const months = UNIT_MONTHS[unit];
  const date = call.type.kind === 'DATE';
  if (months !== undefined) {
    const moved = `(${x} ${sign} to_months(CAST(${amount} * ${months} AS INTEGER)))`;
    return date ? `CAST(${moved} AS DATE)` : moved;
  }
  if (date) return `(${x} ${sign} CAST(${amount} * ${unit === 'WEEK' ? 7 : 1} AS INTEGER))`;
  return `(${x} ${sign} to_microseconds(${amount} * CAST(${UNIT_MICROS[unit]} AS BIGINT)))`;
}

function extract(x: string, part: string): string {
  switch (part) {
    case 'DATE':
      return `CAST(${x} AS DATE)`;
    case 'DATETIME':
      return x;
    // DuckDB counts these from the start of the minute.
    case 'MICROSECOND':
      return `(date_part('microsecond', ${x}) % 1000000)`;
    case 'MILLISECOND':
      return `(date_part('millisecond', ${x}) % 1000)`;
    case 'DAYOFWEEK':
      return `(date_part('dow', ${x}) + 1)`;
    case 'DAYOFYEAR':
      return `date_part('doy', ${x})`;
    case 'WEEK':
      return `CAST(strftime(${x}, '%U') AS BIGINT)`;
    case 'ISOWEEK':
      return `date_part('week', ${x})`;
    default:
      return `date_part('${part.toLowerCase()}', ${x})`;
  }
}

function micros(count: number): string {
  return `to_microseconds(CAST(${count} AS BIGINT))`;
}
