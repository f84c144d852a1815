/** Intervals, which are HUGEINT. */
import { structPack } from '../../struct-pack';
import type { IntervalOps } from '../../../../ir/ops';
import { UNIT_MONTHS, type TimeUnit, unitMicros } from '../../../../time/time-units';
import { MICROS_PER_DAY } from '../../../../time/parse-iso';
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
import { bindOnce, fieldOf, nameOnce } from '../../bind-once';
import { unless } from './time-range';
import { mapItems } from '../../../../items';

const form: IntervalForm = {
  wide: (value) => `CAST('${value}' AS HUGEINT)`,
  widen: (sql) => `CAST(${sql} AS HUGEINT)`,
  quotient: (a, b) => `(${a} // ${b})`,
  remainder: (a, b) => `(${a} % ${b})`,
  typed: (sql) => sql,
  named: (values, body) => {
    const packed = structPack(values.map((sql, index) => [`p${index}`, sql]));
    return nameOnce(packed, (v) => body(...mapItems(values, (_, index) => fieldOf(v, `p${index}`))));
  },
  unless: (condition, safe, body) => unless(condition, safe, body, 'out_of_range'),
  text: (number) => `CAST(${number} AS VARCHAR)`,
  joined: (texts) => `(${texts.join(' || ')})`,
  fraction: (micros) =>
    `regexp_replace(regexp_replace('.' || lpad(CAST(${micros} AS VARCHAR), 6, '0'), '000$', ''), '^\\.000$', '')`,
};

export const intervals: CallPrinters<IntervalOps> = {
  interval_of_unit: (operands, { options: { unit, safe } }) =>
    bindOnce(operands, (n) => intervalOf(partsOfUnit(n, unit), safe, form)),
  make_interval: (operands, { options: { safe } }) =>
    bindOnce(operands, (...parts) => {
      const [y, mo, d, h, mi, s] = mapItems(parts, form.widen);
      const micros = `(((${h} * 60 + ${mi}) * 60 + ${s}) * 1000000)`;
      return intervalOf({ months: `(${y} * 12 + ${mo})`, days: d, micros }, safe, form);
    }),
  interval_of_parts: ([months, days, micros], { options: { safe } }) =>
    intervalOf(
      { months: form.widen(months.sql), days: form.widen(days.sql), micros: form.widen(micros.sql) },
      safe,
      form
    ),
  interval_between: ([a, b]) => {
    const { kind } = a.expr.type;
    if (kind === 'DATE') return between('DATE', form.widen(`date_diff('day', ${b.sql}, ${a.sql})`), form);
    const micros = kind === 'TIME' ? a.sql : `epoch_us(${a.sql})`;
    const others = kind === 'TIME' ? b.sql : `epoch_us(${b.sql})`;
    return between(kind === 'DATETIME' ? 'DATETIME' : 'clock', form.widen(`(${micros} - ${others})`), form);
  },
  interval_length: (operands) => bindOnce(operands, (v) => narrow(lengthOf(v, form))),
  interval_part: (operands, { options: { part } }) =>
    bindOnce(operands, (v) => {
      const { months, days, micros } = partsOf(v, form);
      if (part === 'CLOCK') return narrow(`(${days} * ${form.wide(MICROS_PER_DAY)} + ${micros})`);
      return narrow({ MONTHS: months, DAYS: days, MICROS: micros }[part]);
    }),
  interval_clock: (operands, { options: { safe } }) =>
    bindOnce(operands, (v) => {
      const { months, days, micros } = partsOf(v, form);
      const clock = narrow(`(${days} * ${form.wide(MICROS_PER_DAY)} + ${micros})`);
      return unless(`${months} <> 0`, safe, clock, 'interval_months');
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
  return nameOnce(operand, (v) => `(CASE WHEN ${v} IS NOT NULL THEN ${textOf(v, form)} END)`);
}

function both(operator: '+' | '-'): CallPrinter<'interval_add' | 'interval_sub'> {
  return (operands, { options: { safe } }) => bindOnce(operands, (a, b) => sum(a, b, operator, safe, form));
}

function partsOfUnit(sql: string, unit: TimeUnit): { months: string; days: string; micros: string } {
  const zero = `(${form.widen(sql)} * 0)`;
  const times = (factor: bigint): string => `(${form.widen(sql)} * ${factor})`;
  const months = UNIT_MONTHS[unit];
  if (months !== undefined) return { months: times(months), days: zero, micros: zero };
  const length = unitMicros(unit);
  if (length >= MICROS_PER_DAY) return { months: zero, days: times(length / MICROS_PER_DAY), micros: zero };
  return { months: zero, days: zero, micros: times(length) };
}

function narrow(sql: string): string {
  return `CAST(${sql} AS BIGINT)`;
}
