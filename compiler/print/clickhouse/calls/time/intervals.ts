/** Intervals, which are Int128. */
import { INTERVAL } from '../../../../ir/types';
import { mapItems } from '../../../../items';
import { MICROS_PER_DAY } from '../../../../time/parse-iso';
import { textOf } from '../../../base/time/interval';
import { type IntervalCallForm, intervalPrinters } from '../../../base/time/interval-calls';
import { bindOnce, nameOnce } from '../../values/bind-once';
import { castTo, micros } from '../../values/literals';
import { unless } from './time-range';

const form: IntervalCallForm = {
  bindOnce,
  wide: (value) => `toInt128('${value}')`,
  widen: (sql) => `toInt128(${sql})`,
  narrow: (sql) => `toInt64(${sql})`,
  quotient: (a, b) => `intDivOrNull(${a}, ${b})`,
  remainder: (a, b) => `moduloOrNull(${a}, ${b})`,
  typed: (sql) => castTo(sql, INTERVAL),
  named: (values, body) =>
    nameOnce(`tuple(${values.join(', ')})`, (v) => body(...mapItems(values, (_, index) => `${v}.${index + 1}`))),
  unless,
  text: (number) => `toString(${number})`,
  joined: (texts) => `concat(${texts.join(', ')})`,
  fraction: (number) =>
    `replaceRegexpOne(replaceRegexpOne(concat('.', leftPad(toString(${number}), 6, '0')), '000$', ''), '^\\\\.000$', '')`,
  days: (from, to) => `intDivOrNull(toInt128((${micros(to)} - ${micros(from)})), toInt128('${MICROS_PER_DAY}'))`,
  micros,
};

export const intervals = intervalPrinters(form);

export function intervalText(operand: string): string {
  return nameOnce(operand, (v) => textOf(v, form));
}
