/** TIMESTAMP_ADD and its relatives. */
import { MAX_MICROS, MIN_MICROS } from '../../../../time/parse-iso';
import { shiftLimits } from '../../../../time/time-limits';
import { UNIT_MONTHS, type TimeUnit, unitMicros } from '../../../../time/time-units';
import { constantInteger } from '../../../base/constants';
import { timeKind } from '../../../base/time/time-kind';
import type { CallPrinter } from '../../../dialect/dialect';
import { bindOnce, nameOnce } from '../../values/bind-once';
import { fromMicros, int, micros } from '../../values/literals';
import { unless, whereWithin } from './time-range';

/** A constant amount is checked by comparing the time, others by adding in 128 bits. */
export function shift(sign: 1n | -1n): CallPrinter<'time_add' | 'time_sub'> {
  return (operands, { type, options: { unit, safe } }) => {
    const kind = timeKind(type);
    const amount = constantInteger(operands[1].expr);
    if (amount === undefined) return bindOnce(operands, (x, n) => byVariable(x, n, sign, unit, safe));
    const [time, { sql: n }] = operands;
    const limits = shiftLimits(kind, amount * sign, unit);
    return bindOnce([time] as const, (x) =>
      whereWithin(x, kind, limits, safe, limits.none ? x : moved(x, n, sign, unit))
    );
  };
}

function byVariable(x: string, n: string, sign: 1n | -1n, unit: TimeUnit, safe: boolean): string {
  const months = UNIT_MONTHS[unit];
  if (months === undefined) {
    const distance = `toInt128(${n}) * ${int(sign * unitMicros(unit))}`;
    return nameOnce(`(${micros(x)} + ${distance})`, (v) =>
      unless(`${v} NOT BETWEEN ${int(MIN_MICROS)} AND ${int(MAX_MICROS)}`, safe, fromMicros(`toInt64(${v})`))
    );
  }
  const month = `(toInt128(toYear(${x})) * 12 + toMonth(${x}) - 1 + toInt128(${n}) * ${int(sign * months)})`;
  return unless(`${month} NOT BETWEEN 12 AND 119999`, safe, moved(x, n, sign, unit));
}

function moved(x: string, n: string, sign: 1n | -1n, unit: TimeUnit): string {
  const months = UNIT_MONTHS[unit];
  if (months !== undefined) {
    return `${sign === 1n ? 'addMonths' : 'subtractMonths'}(${x}, toInt32(toInt128(${n}) * ${months}))`;
  }
  return fromMicros(`(${micros(x)} ${sign === 1n ? '+' : '-'} ${n} * ${int(unitMicros(unit))})`);
}
