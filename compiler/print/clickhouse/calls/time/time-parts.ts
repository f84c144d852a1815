/** DATE and DATETIME of a year, a month and so on. A part that does not exist fails, but not beside a NULL. */
import { daysOfMonth } from '../../../base/time/parse-fields';
import type { CallPrinter } from '../../../dialect/dialect';
import { bindOnce } from '../../values/bind-once';
import { fromMicros, int, micros } from '../../values/literals';
import { unless } from './time-range';

export const makeDate: CallPrinter<'make_date'> = (operands, { options: { safe } }) =>
  bindOnce(operands, (y, m, d) => checked([y, m, d], [], safe, dayOf(y, m, d)));

export const makeDatetime: CallPrinter<'make_datetime'> = (operands, { options: { safe } }) =>
  bindOnce(operands, (y, mo, d, h, mi, s) => {
    const seconds = `(${h} * 3600 + ${mi} * 60 + ${s})`;
    // A second 60 is the first of the next minute.
    const late = `${y} = 9999 AND ${mo} = 12 AND ${d} = 31 AND ${seconds} = 86400`;
    const made = fromMicros(`(${micros(dayOf(y, mo, d))} + ${seconds} * ${int(1_000_000)})`);
    return checked([y, mo, d], [h, mi, s], safe, unless(late, safe, made));
  });

function dayOf(y: string, m: string, d: string): string {
  return `toDateTime64OrNull(concat(${padded(y, 4)}, '-', ${padded(m, 2)}, '-', ${padded(d, 2)}, ' 00:00:00'), 6, 'UTC')`;
}

type DateParts = readonly [string, string, string];

function checked([y, m, d]: DateParts, clock: readonly string[], safe: boolean, made: string): string {
  const isPresent = [y, m, d, ...clock].map((part) => `${part} IS NOT NULL`).join(' AND ');
  const ofClock = clock.map((part, index) => `${part} NOT BETWEEN 0 AND ${[23, 59, 60][index]}`);
  const wrong = [`${m} NOT BETWEEN 1 AND 12`, `${d} < 1`, `${d} > ${daysOfMonth(y, m)}`, ...ofClock].join(' OR ');
  const ofDay = unless(`${isPresent} AND (${wrong})`, safe, made, 'bad_time');
  return unless(`${isPresent} AND ${y} NOT BETWEEN 1 AND 9999`, safe, ofDay);
}

function padded(part: string, length: number): string {
  return `leftPad(toString(${part}), ${length}, '0')`;
}
