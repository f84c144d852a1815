/** DATE and DATETIME of a year, a month and so on. A part that does not exist fails, but not beside a NULL. */
import type { CallPrinter } from '../../../dialect/dialect';
import { bindOnce } from '../../values/bind-once';
import { unless } from './time-range';

export const makeDate: CallPrinter<'make_date'> = (operands, { options: { safe } }) =>
  bindOnce(operands, (y, m, d) => checked([y, m, d], [], safe, `make_date(${y}, ${m}, ${d})`));

export const makeDatetime: CallPrinter<'make_datetime'> = (operands, { options: { safe } }) =>
  bindOnce(operands, (y, mo, d, h, mi, s) => {
    const made = `(make_timestamp(${y}, ${mo}, ${d}, ${h}, ${mi}, CAST(0 AS DOUBLE)) + to_seconds(${s}))`;
    // A second 60 is the first of the next minute.
    const late = `make_date(${y}, ${mo}, ${d}) = DATE '9999-12-31' AND ${h} = 23 AND ${mi} = 59 AND ${s} = 60`;
    return checked([y, mo, d], [h, mi, s], safe, unless(late, safe, made));
  });

type Date = readonly [string, string, string];

function checked([y, m, d]: Date, clock: readonly string[], safe: boolean, made: string): string {
  const isMissing = [y, m, d, ...clock].map((part) => `${part} IS NULL`).join(' OR ');
  const ofClock = clock.map((part, index) => `${part} NOT BETWEEN 0 AND ${[23, 59, 60][index]}`);
  const wrong = [`${m} NOT BETWEEN 1 AND 12`, `${d} < 1`, ...ofClock].join(' OR ');
  const ofMonth = unless(`${d} > day(last_day(make_date(${y}, ${m}, 1)))`, safe, made, 'bad_time');
  const ofYear = unless(`${y} NOT BETWEEN 1 AND 9999`, safe, unless(wrong, safe, ofMonth, 'bad_time'));
  return `(CASE WHEN ${isMissing} THEN NULL ELSE ${ofYear} END)`;
}
