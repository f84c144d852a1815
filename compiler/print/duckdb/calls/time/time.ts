/** Time functions. TIMESTAMP and DATETIME are both DuckDB's TIMESTAMP, in UTC. */
import type { TimeOps } from '../../../../ir/operations/ops';
import { timeKind } from '../../../base/time/time-kind';
import type { CallExpr } from '../../../../ir/expression';
import { MAX_MICROS, MIN_MICROS } from '../../../../time/parse-iso';
import { fromLocalLimits, type Limits, toLocalLimits, truncateLimits } from '../../../../time/time-limits';
import type { TimePart, TimeUnit } from '../../../../time/time-units';
import { midnightChanges } from '../../../../time/zone-changes';
import { named } from '../../../base/functions';
import { isSubHour, isUtc } from '../../../base/time/time';
import type { CallPrinters, Operand } from '../../../dialect/dialect';
import { bindOnce, nameOnce } from '../../values/bind-once';
import { raise } from '../../values/literals';
import { parseTimestamp } from './parse-timestamp';
import { formatTime } from './time-format';
import { makeDate, makeDatetime } from './time-parts';
import { whereWithin } from './time-range';
import { shift } from './time-shift';
import { firstInstant, fromLocal, instantOf, localOf, toLocal } from './zones';
import { itemAt } from '../../../../items';

const DAYS_FROM_MONDAY = [6, 0, 1, 2, 3, 4, 5];

export const time: CallPrinters<TimeOps> = {
  time_trunc: (operands, call) => {
    const { unit, weekday, zone, safe } = call.options;
    const kind = timeKind(call.type);
    return bindShort(operands, truncateLimits(kind, unit, weekday, zone), (x, limits) =>
      whereWithin(x, kind, limits, safe, truncated(x, call))
    );
  },
  time_add: shift(1n),
  time_sub: shift(-1n),
  last_day: ([{ sql }], { options: { unit } }) => {
    if (unit === 'MONTH') return `last_day(${sql})`;
    const [start, months] = unit === 'QUARTER' ? ['quarter', 2] : ['year', 11];
    return `last_day(CAST(date_trunc('${start}', ${sql}) AS DATE) + to_months(${months}))`;
  },
  timestamp_diff: ([a, b], { options: { unit } }) => `date_sub('${unit.toLowerCase()}', ${b.sql}, ${a.sql})`,
  datetime_diff: ([a, b], { options: { unit, weekday } }) => {
    switch (unit) {
      case 'WEEK':
      case 'ISOWEEK':
        return `(date_diff('day', ${truncate(b.sql, unit, weekday)}, ${truncate(a.sql, unit, weekday)}) // 7)`;
      case 'ISOYEAR':
        return `(date_part('isoyear', ${a.sql}) - date_part('isoyear', ${b.sql}))`;
      default:
        return `date_diff('${unit.toLowerCase()}', ${b.sql}, ${a.sql})`;
    }
  },
  to_local: (operands, { options: { zone, safe } }) =>
    bindShort(operands, toLocalLimits(zone), (x) => toLocal(x, zone, safe)),
  to_local_date: (operands, { options: { zone, safe } }) =>
    `CAST(${bindShort(operands, toLocalLimits(zone), (x) => toLocal(x, zone, safe))} AS DATE)`,
  from_local: (operands, { options: { zone, safe } }) =>
    bindShort(operands, fromLocalLimits(zone), (x) => fromLocal(x, zone, safe)),
  make_date: makeDate,
  make_datetime: makeDatetime,
  extract: ([x], { options }) => extract(x.sql, options.part),
  unix_seconds: ([x]) => `(epoch_us(date_trunc('second', ${x.sql})) // 1000000)`,
  unix_millis: ([x]) => `(epoch_us(date_trunc('millisecond', ${x.sql})) // 1000)`,
  unix_micros: named('epoch_us'),
  timestamp_from: (operands, { options }) => {
    const scale = BigInt(options.scale);
    const outside = options.safe ? 'NULL' : raise('time_out_of_range');
    return bindOnce(
      operands,
      (n) =>
        `(CASE WHEN ${n} < ${MIN_MICROS / scale} OR ${n} > ${MAX_MICROS / scale} THEN ${outside} ` +
        `ELSE make_timestamp(${n} * CAST(${scale} AS BIGINT)) END)`
    );
  },
  format_time: formatTime,
  parse_timestamp: parseTimestamp,
};

/** Names an operand only if it is compared with limits. */
function bindShort(operands: readonly [Operand], limits: Limits, body: (x: string, limits: Limits) => string): string {
  if (limits.low === null && limits.high === null) return body(operands[0].sql, limits);
  return bindOnce(operands, (x) => body(x, limits));
}

function truncated(x: string, { type, options: { unit, weekday, zone } }: CallExpr<'time_trunc'>): string {
  if (type.kind === 'DATE') return `CAST(${truncate(x, unit, weekday)} AS DATE)`;
  if (isSubHour(unit) || isUtc(zone)) return truncate(x, unit, weekday);
  // At the end of daylight saving time an hour occurs twice; truncation must not move the second occurrence to the
  // first.
  if (unit === 'HOUR') {
    return nameOnce(x, (v) => `(${v} - (${localOf(v, zone)} - ${truncate(localOf(v, zone), unit, weekday)}))`);
  }
  const start = truncate(localOf(x, zone), unit, weekday);
  if (!midnightChanges(zone).repeated) return instantOf(start, zone);
  return nameOnce(start, (v) => firstInstant(v, zone));
}

export function truncate(x: string, unit: TimeUnit, weekday: number): string {
  if (unit === 'ISOWEEK') return `date_trunc('week', ${x})`;
  if (unit !== 'WEEK') return `date_trunc('${unit.toLowerCase()}', ${x})`;
  const days = itemAt(DAYS_FROM_MONDAY, weekday);
  if (days === 0) return `date_trunc('week', ${x})`;
  return `(date_trunc('week', ${x} - INTERVAL ${days} DAY) + INTERVAL ${days} DAY)`;
}

function extract(x: string, part: TimePart): string {
  switch (part) {
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
