/**
 * Parses ISO 8601 text to microseconds and days since 1970-01-01 UTC. The calendar is strict: 2026-02-29, hour 24 and
 * second 60 are refused, as are years outside of 0001 to 9999.
 */

export const MICROS_PER_SECOND = 1_000_000n;
export const MICROS_PER_DAY = 86_400n * MICROS_PER_SECOND;

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999Z. */
export const MIN_MICROS = -62_135_596_800_000_000n;
export const MAX_MICROS = 253_402_300_799_999_999n;
export const MIN_DAYS = -719_162n;
export const MAX_DAYS = 2_932_896n;

const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const DATE_AND_TIME =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(?: ?([Zz]|UTC|utc|[+-]\d{2}(?::\d{2})?))?$/;
const MINUTES_PER_ZONE_HOUR = 60;
const WIDEST_OFFSET_MINUTES = 14 * MINUTES_PER_ZONE_HOUR;

/**
 * Parses `2026-03-01`, `2026-03-01 08:00`, `2026-03-01T08:00:00.123456+02:00`, `... UTC`; by default UTC and midnight.
 * Digits beyond microseconds are dropped. Returns microseconds since 1970, or null for an invalid time.
 */
export function parseIsoTimestamp(text: string): bigint | null {
  const match = DATE_AND_TIME.exec(text.trim());
  if (match === null) return null;
  const local = microsOf(match);
  const offset = offsetMinutes(match[8]);
  if (local === null || offset === null) return null;
  const micros = local - BigInt(offset) * 60n * MICROS_PER_SECOND;
  return micros < MIN_MICROS || micros > MAX_MICROS ? null : micros;
}

/** Parses `2026-03-01`. Returns days since 1970, or null for an invalid date. */
export function parseIsoDate(text: string): bigint | null {
  const match = DATE.exec(text.trim());
  return match === null ? null : daysOf(Number(match[1]), Number(match[2]), Number(match[3]));
}

/** Days since 1970 of a calendar date; null if the date does not exist. */
export function daysOf(year: number, month: number, day: number): bigint | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const same =
    year >= 1 &&
    year <= 9999 &&
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day;
  return same ? BigInt(date.getTime()) / 86_400_000n : null;
}

/** Formats as `2026-03-01 08:00:00`, with six fractional digits unless they are zero. */
export function formatMicros(micros: bigint, separator: ' ' | 'T' = ' '): string {
  const days = floorDivide(micros, MICROS_PER_DAY);
  const ofDay = micros - days * MICROS_PER_DAY;
  const seconds = ofDay / MICROS_PER_SECOND;
  const fraction = ofDay % MICROS_PER_SECOND;
  const two = (value: bigint): string => value.toString().padStart(2, '0');
  const clock = `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}`;
  const tail = fraction === 0n ? '' : `.${fraction.toString().padStart(6, '0')}`;
  return `${formatDays(days)}${separator}${clock}${tail}`;
}

/** Formats as `2026-03-01`. */
export function formatDays(days: bigint): string {
  return new Date(Number(days) * 86_400_000).toISOString().slice(0, 10);
}

/** Rounds towards negative infinity, as required for times before 1970. */
export function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

function microsOf(match: RegExpExecArray): bigint | null {
  const days = daysOf(Number(match[1]), Number(match[2]), Number(match[3]));
  const hour = Number(match[4] ?? 0);
  const minute = Number(match[5] ?? 0);
  const second = Number(match[6] ?? 0);
  if (days === null || hour > 23 || minute > 59 || second > 59) return null;
  const seconds = BigInt(hour * 3600 + minute * 60 + second);
  const fraction = BigInt((match[7] ?? '').padEnd(6, '0').slice(0, 6));
  return days * MICROS_PER_DAY + seconds * MICROS_PER_SECOND + fraction;
}

function offsetMinutes(zone: string | undefined): number | null {
  if (zone === undefined || /^(z|utc)$/i.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4) || 0);
  const total = hours * MINUTES_PER_ZONE_HOUR + minutes;
  if (minutes > 59 || total > WIDEST_OFFSET_MINUTES) return null;
  return zone.startsWith('-') ? -total : total;
}
