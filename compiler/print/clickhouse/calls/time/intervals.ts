/** Intervals, which are Int128. */
import type { IntervalOps } from '../../../../ir/ops';
import { INTERVAL } from '../../../../ir/types';
import { MICROS_PER_DAY } from '../../../../time/parse-iso';
import { UNIT_MONTHS, type TimeUnit, unitMicros } from '../../../../time/time-units';
import {
  between,
  intervalOf,
  type IntervalForm,
  justified,
  lengthOf,
  partsOf,
  product,
  quotient,
  sum,
  textOf,
} from '../../../base/interval';
import type { CallPrinter, CallPrinters } from '../../../dialect';
import { bindOnce, nameOnce } from '../../bind-once';
import { castTo, micros } from '../../literals';
import { unless } from './time-range';
import { mapItems } from '../../../../items';

const form: IntervalForm = {
  wide: (value) => `toInt128('${value}')`,
  widen: (sql) => `toInt128(${sql})`,
  quotient: (a, b) => `intDivOrNull(${a}, ${b})`,
  remainder: (a, b) => `moduloOrNull(${a}, ${b})`,
  typed: (sql) => castTo(sql, INTERVAL),
  named: (values, body) =>
    nameOnce(`tuple(${values.join(', ')})`, (v) => body(...mapItems(values, (_, index) => `${v}.${index + 1}`))),
  unless: (condition, safe, body) => unless(condition, safe, body, 'out_of_range'),
  text: (number) => `toString(${number})`,
  joined: (texts) => `concat(${texts.join(', ')})`,
  fraction: (number) =>
    `replaceRegexpOne(replaceRegexpOne(concat('.', leftPad(toString(${number}), 6, '0')), '000$', ''), '^\\\\.000$', '')`,
};

export const intervals: CallPrinters<IntervalOps> = {
  interval_of_unit: (operands, { options: { unit, safe } }) =>
    bindOnce(operands, (n) => intervalOf(partsOfUnit(n, unit), safe, form)),
  make_interval: (operands, { options: { safe } }) =>
    bindOnce(operands, (...parts) => {
      const [y, mo, d, h, mi, s] = mapItems(parts, form.widen);
      const clock = `(((${h} * 60 + ${mi}) * 60 + ${s}) * 1000000)`;
      return intervalOf({ months: `(${y} * 12 + ${mo})`, days: d, micros: clock }, safe, form);
    }),
  interval_of_parts: ([months, days, clock], { options: { safe } }) =>
    intervalOf(
      { months: form.widen(months.sql), days: form.widen(days.sql), micros: form.widen(clock.sql) },
      safe,
      form
    ),
  interval_between: ([a, b]) => {
    const { kind } = a.expr.type;
    const count = (sql: string): string => (kind === 'TIME' ? sql : micros(sql));
    const difference = form.widen(`(${count(a.sql)} - ${count(b.sql)})`);
    if (kind === 'DATE') return between('DATE', form.quotient(difference, form.wide(MICROS_PER_DAY)), form);
    return between(kind === 'DATETIME' ? 'DATETIME' : 'clock', difference, form);
  },
  interval_length: (operands) => bindOnce(operands, (v) => narrow(lengthOf(v, form))),
  interval_part: (operands, { options: { part } }) =>
    bindOnce(operands, (v) => {
      const { months, days, micros: clock } = partsOf(v, form);
      if (part === 'CLOCK') return narrow(`(${days} * ${form.wide(MICROS_PER_DAY)} + ${clock})`);
      return narrow({ MONTHS: months, DAYS: days, MICROS: clock }[part]);
    }),
  interval_clock: (operands, { options: { safe } }) =>
    bindOnce(operands, (v) => {
      const { months, days, micros: clock } = partsOf(v, form);
      const length = narrow(`(${days} * ${form.wide(MICROS_PER_DAY)} + ${clock})`);
      return unless(`${months} <> 0`, safe, length, 'interval_months');
    }),
  interval_add: both('+'),
  interval_sub: both('-'),
  interval_mul: (operands, { options: { safe } }) =>
    bindOnce(operands, (v, n) => product(v, form.widen(n), safe, form)),
  interval_div: (operands, { options: { safe } }) =>
    bindOnce(operands, (v, n) => quotient(v, form.widen(n), safe, form)),
  interval_justify: (operands, { options: { which, safe } }) =>
    bindOnce(operands, (v) => justified(v, which, safe, form)),
};

export function intervalText(operand: string): string {
  return nameOnce(operand, (v) => textOf(v, form));
}

function both(operator: '+' | '-'): CallPrinter<'interval_add' | 'interval_sub'> {
  return (operands, { options: { safe } }) => bindOnce(operands, (a, b) => sum(a, b, operator, safe, form));
}

function partsOfUnit(sql: string, unit: TimeUnit): { months: string; days: string; micros: string } {
  const zero = `(${form.widen(sql)} * 0)`;
  const times = (factor: bigint): string => `(${form.widen(sql)} * ${form.wide(factor)})`;
  const months = UNIT_MONTHS[unit];
  if (months !== undefined) return { months: times(months), days: zero, micros: zero };
  const length = unitMicros(unit);
  if (length >= MICROS_PER_DAY) return { months: zero, days: times(length / MICROS_PER_DAY), micros: zero };
  return { months: zero, days: zero, micros: times(length) };
}

function narrow(sql: string): string {
  return `toInt64(${sql})`;
}
