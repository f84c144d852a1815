/** Calendar arithmetic for constants: the results of time functions on values known at compile time. */
import { daysOf, floorDivide, MAX_DAYS, MAX_MICROS, MICROS_PER_DAY, MIN_DAYS, MIN_MICROS } from './parse-iso';
import { UNIT_MICROS, UNIT_MONTHS, type TimeUnit } from './time-units';

/** 1970-01-04 was a Sunday. */
const FIRST_SUNDAY = 3n;

export interface CalendarDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

function dateOf(days: bigint): CalendarDate {
  const date = new Date(Number(days) * 86_400_000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** 0 is Sunday. */
export function weekdayOf(days: bigint): number {
  return Number((((days - FIRST_SUNDAY) % 7n) + 7n) % 7n);
}

/** Start of the unit that contains a local time; `weekday` (0 is Sunday) is the first day of a WEEK. */
export function truncateMicros(micros: bigint, unit: TimeUnit, weekday: number): bigint {
  const size = UNIT_MICROS[unit];
  if (size !== undefined && unit !== 'WEEK') return floorDivide(micros, size) * size;
  return truncateDays(floorDivide(micros, MICROS_PER_DAY), unit, weekday) * MICROS_PER_DAY;
}

export function truncateDays(days: bigint, unit: TimeUnit, weekday: number): bigint {
  const { year, month } = dateOf(days);
  const first = (y: number, m: number): bigint => daysOf(y, m, 1) ?? days;
  switch (unit) {
    case 'WEEK':
      return days - BigInt((weekdayOf(days) - weekday + 7) % 7);
    case 'ISOWEEK':
      return days - BigInt((weekdayOf(days) + 6) % 7);
    case 'MONTH':
      return first(year, month);
    case 'QUARTER':
      return first(year, month - ((month - 1) % 3));
    case 'YEAR':
      return first(year, 1);
    case 'ISOYEAR': {
      // A week belongs to the year of its Thursday; week 1 contains 4 January.
      const thursday = truncateDays(days, 'ISOWEEK', 1) + 3n;
      return truncateDays(daysOf(dateOf(thursday).year, 1, 4) ?? days, 'ISOWEEK', 1);
    }
    default:
      return days;
  }
}

/** Last day of the MONTH, QUARTER or YEAR that contains a day. */
export function lastDayOf(days: bigint, unit: TimeUnit): bigint {
  const { year, month } = dateOf(days);
  const last = unit === 'MONTH' ? month : unit === 'QUARTER' ? month + 2 - ((month - 1) % 3) : 12;
  return daysOf(year, last, 31) ?? daysOf(year, last, 30) ?? daysOf(year, last, 29) ?? daysOf(year, last, 28) ?? days;
}

/**
 * Adds units. Adding months keeps the day, or takes the last day of a shorter month. Undefined outside of the years
 * 0001 to 9999.
 */
export function addMicros(micros: bigint, amount: bigint, unit: TimeUnit): bigint | undefined {
  const size = UNIT_MICROS[unit];
  if (size !== undefined) return inRange(micros + amount * size, MIN_MICROS, MAX_MICROS);
  const days = floorDivide(micros, MICROS_PER_DAY);
  const moved = addDays(days, amount, unit);
  return moved === undefined ? undefined : micros + (moved - days) * MICROS_PER_DAY;
}

export function addDays(days: bigint, amount: bigint, unit: TimeUnit): bigint | undefined {
  if (unit === 'DAY' || unit === 'WEEK')
    return inRange(days + amount * (unit === 'WEEK' ? 7n : 1n), MIN_DAYS, MAX_DAYS);
  const months = UNIT_MONTHS[unit];
  if (months === undefined) return undefined;
  const { year, month, day } = dateOf(days);
  const total = BigInt(year) * 12n + BigInt(month - 1) + amount * months;
  if (total < 12n || total > 9999n * 12n + 11n) return undefined;
  const [y, m] = [Number(total / 12n), Number(total % 12n) + 1];
  for (let d = day; d > 27; d -= 1) {
    const found = daysOf(y, m, d);
    if (found !== null) return found;
  }
  return daysOf(y, m, Math.min(day, 28)) ?? undefined;
}

function inRange(value: bigint, low: bigint, high: bigint): bigint | undefined {
  return value < low || value > high ? undefined : value;
}
