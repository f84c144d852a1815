/**
 * INTERVAL values. In a store an interval is one number, which sorts as intervals do: its length, with a month of 30
 * days and a day of 24 hours, then its parts. Intervals of one length with different parts are different numbers, so
 * comparisons read the length alone.
 */
import { fractionText } from './time-text';
import { MICROS_PER_DAY, MICROS_PER_SECOND } from './parse-iso';

/** The parts have signs of their own. */
export interface IntervalParts {
  readonly months: bigint;
  readonly days: bigint;
  readonly micros: bigint;
}

/** Largest parts of GoogleSQL: 10,000 years, each of 366 days. */
export const MAX_MONTHS = 120_000n;
export const MAX_INTERVAL_DAYS = 3_660_000n;
export const MAX_INTERVAL_MICROS = MAX_INTERVAL_DAYS * MICROS_PER_DAY;
export const DAYS_PER_MONTH = 30n;

/** Layout of the number: length, months, days; each part plus an offset is not negative. */
export const LENGTH_FACTOR = 1n << 41n;
export const LENGTH_OFFSET = 1n << 61n;
export const MONTHS_FACTOR = 1n << 23n;
export const MONTHS_OFFSET = 1n << 17n;
export const DAYS_OFFSET = 1n << 22n;

/** Undefined for parts that are too large. */
export function intervalOf(parts: IntervalParts): bigint | undefined {
  const { months, days, micros } = parts;
  if (isBeyond(months, MAX_MONTHS) || isBeyond(days, MAX_INTERVAL_DAYS) || isBeyond(micros, MAX_INTERVAL_MICROS)) {
    return undefined;
  }
  const rest = (months + MONTHS_OFFSET) * MONTHS_FACTOR + days + DAYS_OFFSET;
  return (lengthOf(parts) + LENGTH_OFFSET) * LENGTH_FACTOR + rest;
}

export function partsOf(interval: bigint): IntervalParts {
  const rest = interval % LENGTH_FACTOR;
  const months = rest / MONTHS_FACTOR - MONTHS_OFFSET;
  const days = (rest % MONTHS_FACTOR) - DAYS_OFFSET;
  return { months, days, micros: lengthOfInterval(interval) - (months * DAYS_PER_MONTH + days) * MICROS_PER_DAY };
}

/** Microseconds of the whole interval. */
export function lengthOfInterval(interval: bigint): bigint {
  return interval / LENGTH_FACTOR - LENGTH_OFFSET;
}

/** GoogleSQL's text: `1-2 3 4:5:6.500` is a year, 2 months, 3 days and 4:05:06.5 hours. */
export function intervalText(interval: bigint): string {
  const { months, days, micros } = partsOf(interval);
  const [m, u] = [magnitude(months), magnitude(micros)];
  const seconds = u / MICROS_PER_SECOND;
  const clock = `${seconds / 3600n}:${(seconds / 60n) % 60n}:${seconds % 60n}${fractionText(u % MICROS_PER_SECOND)}`;
  return `${sign(months)}${m / 12n}-${m % 12n} ${days} ${sign(micros)}${clock}`;
}

function lengthOf({ months, days, micros }: IntervalParts): bigint {
  return (months * DAYS_PER_MONTH + days) * MICROS_PER_DAY + micros;
}

function sign(value: bigint): '-' | '' {
  return value < 0n ? '-' : '';
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function isBeyond(value: bigint, most: bigint): boolean {
  return magnitude(value) > most;
}
