/** Printers of the operations on intervals, in a store's SQL of integers. */
import type { IntervalOps } from '../../../ir/operations/ops';
import { mapItems } from '../../../items';
import { MICROS_PER_DAY } from '../../../time/parse-iso';
import { UNIT_MONTHS, type TimeUnit, unitMicros } from '../../../time/time-units';
import type { BindOnce } from '../../dialect/bind-once';
import type { CallPrinter, CallPrinters } from '../../dialect/dialect';
import {
  between,
  type IntervalForm,
  intervalOf,
  justified,
  lengthOf,
  partsOf,
  type PrintedParts,
  product,
  quotient,
  sum,
} from './interval';

export interface IntervalCallForm extends IntervalForm {
  readonly bindOnce: BindOnce;
  /** A number of 128 bits as INT64. */
  readonly narrow: (sql: string) => string;
  /** Days between two DATEs, in 128 bits. */
  readonly days: (from: string, to: string) => string;
  /** Microseconds of a TIMESTAMP or DATETIME. */
  readonly micros: (time: string) => string;
}

export function intervalPrinters(form: IntervalCallForm): CallPrinters<IntervalOps> {
  const { bindOnce, widen, narrow } = form;
  const clockOf = ({ days, micros }: PrintedParts): string =>
    narrow(`(${days} * ${form.wide(MICROS_PER_DAY)} + ${micros})`);
  const both =
    (operator: '+' | '-'): CallPrinter<'interval_add' | 'interval_sub'> =>
    (operands, { options: { safe } }) =>
      bindOnce(operands, (a, b) => sum(a, b, operator, safe, form));
  return {
    interval_of_unit: (operands, { options: { unit, safe } }) =>
      bindOnce(operands, (n) => intervalOf(partsOfUnit(widen(n), unit, form), safe, form)),
    make_interval: (operands, { options: { safe } }) =>
      bindOnce(operands, (...parts) => {
        const [y, mo, d, h, mi, s] = mapItems(parts, widen);
        const micros = `(((${h} * 60 + ${mi}) * 60 + ${s}) * 1000000)`;
        return intervalOf({ months: `(${y} * 12 + ${mo})`, days: d, micros }, safe, form);
      }),
    interval_of_parts: ([months, days, micros], { options: { safe } }) =>
      intervalOf({ months: widen(months.sql), days: widen(days.sql), micros: widen(micros.sql) }, safe, form),
    interval_between: ([a, b]) => {
      const { kind } = a.expr.type;
      if (kind === 'DATE') return between('DATE', form.days(b.sql, a.sql), form);
      const count = (sql: string): string => (kind === 'TIME' ? sql : form.micros(sql));
      const difference = widen(`(${count(a.sql)} - ${count(b.sql)})`);
      return between(kind === 'DATETIME' ? 'DATETIME' : 'clock', difference, form);
    },
    interval_length: (operands) => bindOnce(operands, (v) => narrow(lengthOf(v, form))),
    interval_part: (operands, { options: { part } }) =>
      bindOnce(operands, (v) => {
        const parts = partsOf(v, form);
        if (part === 'CLOCK') return clockOf(parts);
        return narrow({ MONTHS: parts.months, DAYS: parts.days, MICROS: parts.micros }[part]);
      }),
    interval_clock: (operands, { options: { safe } }) =>
      bindOnce(operands, (v) => {
        const parts = partsOf(v, form);
        return form.unless(`${parts.months} <> 0`, safe, clockOf(parts), 'interval_months');
      }),
    interval_add: both('+'),
    interval_sub: both('-'),
    interval_mul: (operands, { options: { safe } }) => bindOnce(operands, (v, n) => product(v, widen(n), safe, form)),
    interval_div: (operands, { options: { safe } }) => bindOnce(operands, (v, n) => quotient(v, widen(n), safe, form)),
    interval_justify: (operands, { options: { which, safe } }) =>
      bindOnce(operands, (v) => justified(v, which, safe, form)),
  };
}

/** @param n an integer of 128 bits, a short text */
function partsOfUnit(n: string, unit: TimeUnit, { wide }: IntervalForm): PrintedParts {
  const zero = `(${n} * 0)`;
  const times = (factor: bigint): string => `(${n} * ${wide(factor)})`;
  const months = UNIT_MONTHS[unit];
  if (months !== undefined) return { months: times(months), days: zero, micros: zero };
  const length = unitMicros(unit);
  if (length >= MICROS_PER_DAY) return { months: zero, days: times(length / MICROS_PER_DAY), micros: zero };
  return { months: zero, days: zero, micros: times(length) };
}
