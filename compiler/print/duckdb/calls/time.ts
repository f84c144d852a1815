/** Time functions. TIMESTAMP and DATETIME are both DuckDB's TIMESTAMP, in UTC. */
import type { TimeOps } from '../../../ir/ops';
import { MAX_MICROS, MIN_MICROS } from '../../../time/parse-iso';
import { UNIT_MICROS, UNIT_MONTHS, type TimeUnit } from '../../../time/time-units';
import { named } from '../../base/functions';
import { isSubHour, isUtc } from '../../base/time';
import type { CallPrinter, CallPrinters } from '../../dialect';
import { bindOnce } from '../bind-once';
import { raise } from '../literals';
import { formatTime, parseTimestamp } from './time-format';
import { fromLocal, toLocal } from './zones';

const DAYS_FROM_MONDAY = [6, 0, 1, 2, 3, 4, 5];

export const time: CallPrinters<TimeOps> = {
  time_trunc: (operands, { options: { unit, weekday, zone }, type }) => {
    const [{ sql }] = operands;
    if (type.kind === 'DATE') return `CAST(${truncate(sql, unit, weekday)} AS DATE)`;
    if (isSubHour(unit) || isUtc(zone)) return truncate(sql, unit, weekday);
    // At the end of daylight saving time an hour occurs twice; truncation must not move the second occurrence to the
    // first.
    if (unit === 'HOUR') {
      return bindOnce(operands, (x) => {
        const local = toLocal(x, zone);
        return `(${x} - (${local} - ${truncate(local, unit, weekday)}))`;
      });
    }
    return fromLocal(truncate(toLocal(sql, zone), unit, weekday), zone);
  },
  time_add: shift('+'),
  time_sub: shift('-'),
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
  to_local: ([x], { options }) => toLocal(x.sql, options.zone),
  to_local_date: ([x], { options }) => `CAST(${toLocal(x.sql, options.zone)} AS DATE)`,
  from_local: ([x], { options }) => fromLocal(x.sql, options.zone),
  make_date: named('make_date'),
  make_datetime: ([y, mo, d, h, mi, s]) =>
    `make_timestamp(${y.sql}, ${mo.sql}, ${d.sql}, ${h.sql}, ${mi.sql}, CAST(${s.sql} AS DOUBLE))`,
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

function truncate(x: string, unit: TimeUnit, weekday: number): string {
  if (unit === 'ISOWEEK') return `date_trunc('week', ${x})`;
  if (unit !== 'WEEK') return `date_trunc('${unit.toLowerCase()}', ${x})`;
  const days = DAYS_FROM_MONDAY[weekday] as number;
  if (days === 0) return `date_trunc('week', ${x})`;
  return `(date_trunc('week', ${x} - INTERVAL ${days} DAY) + INTERVAL ${days} DAY)`;
}

function shift(sign: '+' | '-'): CallPrinter<'time_add' | 'time_sub'> {
  return ([{ sql: x }, { sql: amount }], { type, options: { unit } }) => {
    const months = UNIT_MONTHS[unit];
    const date = type.kind === 'DATE';
    if (months !== undefined) {
      const moved = `(${x} ${sign} to_months(CAST(${amount} * ${months} AS INTEGER)))`;
      return date ? `CAST(${moved} AS DATE)` : moved;
    }
    if (date) return `(${x} ${sign} CAST(${amount} * ${unit === 'WEEK' ? 7 : 1} AS INTEGER))`;
    return `(${x} ${sign} to_microseconds(${amount} * CAST(${UNIT_MICROS[unit]} AS BIGINT)))`;
  };
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
