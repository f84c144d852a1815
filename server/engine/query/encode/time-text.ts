/** Formats times in microseconds since 1970, UTC. Years beyond four digits have a sign, as in ISO 8601. */
import type { TimestampStyle } from '#contract/queries/query';
import { integerJson } from './number-text';

const MICROS_PER_DAY = 86_400_000_000n;
const DAYS_PER_ERA = 146_097;
const INFINITE_MICROS = 9_223_372_036_854_775_807n;

/** Whether the time is the store's `infinity` or `-infinity`, which are null in all formats. */
export function isInfiniteTime(micros: bigint): boolean {
  return micros === INFINITE_MICROS || micros <= -INFINITE_MICROS;
}

/** Formats as `2026-03-01T08:00:00` without zone, with six fractional digits unless they are zero. */
export function dateTimeText(micros: bigint): string {
  let day = micros / MICROS_PER_DAY;
  let rest = Number(micros - day * MICROS_PER_DAY);
  if (rest < 0) {
    day -= 1n;
    rest += Number(MICROS_PER_DAY);
  }
  return `${dateText(Number(day))}T${timeOfDayText(rest)}`;
}

/** Formats as RFC 3339 with `Z`. */
export function rfc3339Text(micros: bigint): string {
  return `${dateTimeText(micros)}Z`;
}

/** Formats a TIMESTAMP for JSON, and for CSV without the quotes: microseconds as a number, or RFC 3339 on request. */
export function timestampJson(micros: bigint, style: TimestampStyle): string {
  if (isInfiniteTime(micros)) return 'null';
  return style === 'native' ? integerJson(micros) : `"${rfc3339Text(micros)}"`;
}

export function dateTimeJson(micros: bigint, style: TimestampStyle): string {
  if (isInfiniteTime(micros)) return 'null';
  return style === 'native' ? `"${dateTimeText(micros)}"` : `"${rfc3339Text(micros)}"`;
}

/**
 * Formats as `2026-03-01`.
 *
 * @param day days since 1970-01-01, in the proleptic Gregorian calendar
 */
export function dateText(day: number): string {
  // Counts years from March in eras of 400 years, so that the leap day is the last of its year.
  const shifted = day + 719_468;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${yearText(year)}-${twoDigits(month)}-${twoDigits(dayOfMonth)}`;
}

function yearText(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, '0');
  return `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`;
}

function timeOfDayText(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000);
  const fraction = micros - seconds * 1_000_000;
  const text = `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
  return fraction === 0 ? text : `${text}.${String(fraction).padStart(6, '0')}`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
