/** TIMESTAMP_ADD and its relatives. */
import { MAX_DAYS, MAX_MICROS, MICROS_PER_DAY, MIN_DAYS, MIN_MICROS } from '../../../../time/parse-iso';
import { shiftLimits } from '../../../../time/time-limits';
import { UNIT_MICROS, UNIT_MONTHS, type TimeUnit, unitMicros } from '../../../../time/time-units';
import { constantInteger } from '../../../base/constants';
import { timeKind } from '../../../base/time/time-kind';
import type { CallPrinter } from '../../../dialect/dialect';
import { bindOnce } from '../../values/bind-once';
import { unless, whereWithin } from './time-range';

/** A constant amount is checked by comparing the time, others by adding in 128 bits. */
export function shift(sign: 1n | -1n): CallPrinter<'time_add' | 'time_sub'> {
  return (operands, { type, options: { unit, safe } }) => {
    const kind = timeKind(type);
    const amount = constantInteger(operands[1].expr);
    if (amount === undefined) {
      return bindOnce(operands, (x, n) => byVariable(x, n, sign, unit, kind === 'DATE', safe));
    }
    const [time, { sql: n }] = operands;
    const limits = shiftLimits(kind, amount * sign, unit);
    return bindOnce([time] as const, (x) => {
      // DuckDB would compute a constant that is too large even where no row needs it.
      const body = limits.none ? `(CASE WHEN ${n} IS NULL THEN ${x} END)` : moved(x, n, sign, unit, kind === 'DATE');
      return whereWithin(x, kind, limits, safe, body);
    });
  };
}

function byVariable(x: string, n: string, sign: 1n | -1n, unit: TimeUnit, isDate: boolean, safe: boolean): string {
  const months = UNIT_MONTHS[unit];
  const length = months ?? unitMicros(unit) / (isDate ? MICROS_PER_DAY : 1n);
  const distance = `CAST(${n} AS HUGEINT) * ${sign * length}`;
  const [from, least, most] =
    months !== undefined
      ? [`(date_part('year', ${x}) * 12 + date_part('month', ${x}) - 1)`, 12n, 119_999n]
      : isDate
        ? [`date_diff('day', DATE '1970-01-01', ${x})`, MIN_DAYS, MAX_DAYS]
        : [`epoch_us(${x})`, MIN_MICROS, MAX_MICROS];
  return unless(`${from} + ${distance} NOT BETWEEN ${least} AND ${most}`, safe, moved(x, n, sign, unit, isDate));
}

function moved(x: string, n: string, sign: 1n | -1n, unit: TimeUnit, isDate: boolean): string {
  const operator = sign === 1n ? '+' : '-';
  const months = UNIT_MONTHS[unit];
  if (months !== undefined) {
    const shifted = `(${x} ${operator} to_months(CAST(${n} * ${months} AS INTEGER)))`;
    return isDate ? `CAST(${shifted} AS DATE)` : shifted;
  }
  if (isDate) return `(${x} ${operator} CAST(${n} * ${unit === 'WEEK' ? 7 : 1} AS INTEGER))`;
  return `(${x} ${operator} to_microseconds(${n} * CAST(${UNIT_MICROS[unit]} AS BIGINT)))`;
}
