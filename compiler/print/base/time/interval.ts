/**
 * Arithmetic of intervals, which are numbers of 128 bits (see `time/interval`), in SQL that both stores know. Names and
 * parts are short texts, which are repeated.
 */
import {
  DAYS_OFFSET,
  DAYS_PER_MONTH,
  LENGTH_FACTOR,
  LENGTH_OFFSET,
  MAX_INTERVAL_DAYS,
  MAX_INTERVAL_MICROS,
  MAX_MONTHS,
  MONTHS_FACTOR,
  MONTHS_OFFSET,
} from '../../../time/interval';
import { MICROS_PER_DAY } from '../../../time/parse-iso';
import type { Mapped } from '../../../ir/operations/ops';
import type { RunFailure } from '../../../output/run-failure';

/** A store's SQL of integers. Divisions round toward zero. */
export interface IntervalForm {
  /** A constant of 128 bits. */
  readonly wide: (value: bigint) => string;
  /** An integer as one of 128 bits. */
  readonly widen: (sql: string) => string;
  readonly quotient: (a: string, b: string) => string;
  readonly remainder: (a: string, b: string) => string;
  /** The type of an interval for a number of 128 bits. */
  readonly typed: (sql: string) => string;
  /** Names several values. */
  readonly named: <const T extends readonly string[]>(
    values: T,
    body: (...names: Mapped<T, string>) => string
  ) => string;
  /** A body, or NULL or a failure where a condition is true. */
  readonly unless: (condition: string, safe: boolean, body: string, failure: RunFailure) => string;
  readonly text: (number: string) => string;
  readonly joined: (texts: readonly string[]) => string;
  /** `.500000` of a number of microseconds, as `.500`; empty for zero. */
  readonly fraction: (micros: string) => string;
}

export interface PrintedParts {
  readonly months: string;
  readonly days: string;
  readonly micros: string;
}

/** Microseconds of a whole interval, in 128 bits. */
export function lengthOf(v: string, form: IntervalForm): string {
  return `(${form.quotient(v, form.wide(LENGTH_FACTOR))} - ${form.wide(LENGTH_OFFSET)})`;
}

export function partsOf(v: string, form: IntervalForm): PrintedParts {
  const { wide, quotient, remainder } = form;
  const rest = remainder(v, wide(LENGTH_FACTOR));
  const months = `(${quotient(rest, wide(MONTHS_FACTOR))} - ${wide(MONTHS_OFFSET)})`;
  const days = `(${remainder(rest, wide(MONTHS_FACTOR))} - ${wide(DAYS_OFFSET)})`;
  return { months, days, micros: `(${lengthOf(v, form)} - ${daysLength(months, days, form)})` };
}

function daysLength(months: string, days: string, { wide }: IntervalForm): string {
  return `((${months} * ${wide(DAYS_PER_MONTH)} + ${days}) * ${wide(MICROS_PER_DAY)})`;
}

/** An interval of parts of 128 bits, each of which may be NULL. */
export function intervalOf({ months, days, micros }: PrintedParts, safe: boolean, form: IntervalForm): string {
  return form.named([months, days, micros], (a, b, c) => {
    const isPresent = [a, b, c].map((part) => `${part} IS NOT NULL`).join(' AND ');
    const isBeyond = [isOutside(a, MAX_MONTHS), isOutside(b, MAX_INTERVAL_DAYS), isOutside(c, MAX_INTERVAL_MICROS)];
    return form.unless(`${isPresent} AND (${isBeyond.join(' OR ')})`, safe, encoded(a, b, c, form), 'out_of_range');
  });

  function isOutside(part: string, most: bigint): string {
    return `${part} NOT BETWEEN ${form.wide(-most)} AND ${form.wide(most)}`;
  }
}

/** An interval of parts within their limits. */
export function encoded(months: string, days: string, micros: string, form: IntervalForm): string {
  const { wide } = form;
  const length = `(${daysLength(months, days, form)} + ${micros} + ${wide(LENGTH_OFFSET)})`;
  const rest = `(${months} + ${wide(MONTHS_OFFSET)}) * ${wide(MONTHS_FACTOR)} + ${days} + ${wide(DAYS_OFFSET)}`;
  return form.typed(`(${length} * ${wide(LENGTH_FACTOR)} + ${rest})`);
}

export function sum(a: string, b: string, operator: '+' | '-', safe: boolean, form: IntervalForm): string {
  const [x, y] = [partsOf(a, form), partsOf(b, form)];
  const both = (part: keyof PrintedParts): string => `(${x[part]} ${operator} ${y[part]})`;
  return intervalOf({ months: both('months'), days: both('days'), micros: both('micros') }, safe, form);
}

/** @param n an integer of 128 bits */
export function product(v: string, n: string, safe: boolean, form: IntervalForm): string {
  const { months, days, micros } = partsOf(v, form);
  const times = (part: string): string => `(${part} * ${n})`;
  return intervalOf({ months: times(months), days: times(days), micros: times(micros) }, safe, form);
}

/** What is left of months becomes days, and what is left of days microseconds. @param n an integer of 128 bits */
export function quotient(v: string, n: string, safe: boolean, form: IntervalForm): string {
  const { months, days, micros } = partsOf(v, form);
  const { wide } = form;
  const ofMonths = `(${days} + ${form.remainder(months, n)} * ${wide(DAYS_PER_MONTH)})`;
  const whole = form.named([months, ofMonths, micros, n], (m, d, u, by) => {
    const ofDays = `(${u} + ${form.remainder(d, by)} * ${wide(MICROS_PER_DAY)})`;
    const parts = { months: form.quotient(m, by), days: form.quotient(d, by) };
    return intervalOf({ ...parts, micros: form.quotient(ofDays, by) }, safe, form);
  });
  return form.unless(`${v} IS NOT NULL AND ${n} = ${wide(0n)}`, safe, whole, 'out_of_range');
}

export type Justified = 'HOURS' | 'DAYS' | 'INTERVAL';

/** Hours of days, days of months, or both: parts of one sign. */
export function justified(v: string, which: Justified, safe: boolean, form: IntervalForm): string {
  const { months, days, micros } = partsOf(v, form);
  const [day, month] = [form.wide(MICROS_PER_DAY), form.wide(DAYS_PER_MONTH)];
  if (which === 'DAYS') {
    const all = `(${months} * ${month} + ${days})`;
    return intervalOf({ months: form.quotient(all, month), days: form.remainder(all, month), micros }, safe, form);
  }
  if (which === 'HOURS') {
    const clock = `(${days} * ${day} + ${micros})`;
    return intervalOf({ months, days: form.quotient(clock, day), micros: form.remainder(clock, day) }, safe, form);
  }
  const [length, all] = [lengthOf(v, form), form.quotient(lengthOf(v, form), day)];
  const parts = { months: form.quotient(all, month), days: form.remainder(all, month) };
  return intervalOf({ ...parts, micros: form.remainder(length, day) }, safe, form);
}

/** `1-2 3 4:5:6.500` */
export function textOf(v: string, form: IntervalForm): string {
  const parts = partsOf(v, form);
  const { wide } = form;
  return form.named([parts.months, parts.days, parts.micros], (m, d, u) => {
    const sign = (part: string): string => `(CASE WHEN ${part} < ${wide(0n)} THEN '-' ELSE '' END)`;
    const of = (part: string, unit: bigint): string => form.quotient(`abs(${part})`, wide(unit));
    const within = (part: string, unit: bigint, count: bigint): string =>
      form.text(form.remainder(of(part, unit), wide(count)));
    return form.joined([
      ...[sign(m), form.text(of(m, 12n)), "'-'", within(m, 1n, 12n), "' '", form.text(d), "' '", sign(u)],
      ...[form.text(of(u, 3_600_000_000n)), "':'", within(u, 60_000_000n, 60n), "':'", within(u, 1_000_000n, 60n)],
      form.fraction(form.remainder(`abs(${u})`, wide(1_000_000n))),
    ]);
  });
}

/** The interval between two times of one type, of the differences in days and in microseconds of 128 bits. */
export function between(kind: 'DATE' | 'DATETIME' | 'clock', difference: string, form: IntervalForm): string {
  const zero = form.wide(0n);
  if (kind === 'clock') return encoded(zero, zero, difference, form);
  if (kind === 'DATE') return form.named([difference], (d) => encoded(zero, d, zero, form));
  return form.named([difference], (name) => {
    const [u, day] = [name, form.wide(MICROS_PER_DAY)];
    return encoded(zero, form.quotient(u, day), form.remainder(u, day), form);
  });
}
