/**
 * Reads constant texts as GoogleSQL's CAST does: `2026-03-01`, `2026-3-1 8:0:0`, `2026-03-01T08:00:00.5+0200`,
 * `2026-03-01 08:00:00 Europe/Berlin`. Stores read the texts of rows by the same rules. Digits beyond microseconds are
 * dropped, and a second 60 is the first of the next minute, without its fraction unless the time is an instant.
 */
import { daysOf, MAX_MICROS, MICROS_PER_DAY, MICROS_PER_SECOND, MIN_MICROS } from './parse-iso';
import { fromLocalMicros, namedZone, offsetZone, type TimeZone, UTC } from './time-zone';
import { mapItems } from '../items';

const DAY = String.raw`(\d{4})-(\d{1,2})-(\d{1,2})`;
const CLOCK = String.raw`(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,12}))?`;
const DATE = new RegExp(`^${DAY}$`);
const TIME = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,6}))?$/;
const DATETIME = new RegExp(`^${DAY}(?:[Tt ]${CLOCK})?$`);
const ZONED = new RegExp(`^${DAY}[Tt ](?:${CLOCK})?((?: UTC)?[+-][0-9:]+|[Zz]| [A-Za-z][A-Za-z0-9_+/-]*)$`);
/** Groups of a time in `DATETIME` and `ZONED`; the zone is the next. */
const ZONE_GROUP = 8;

/** Microseconds since 1970; null for a text that is no time or outside of the years 0001 to 9999. */
export function readTimestamp(text: string): bigint | null {
  const plain = DATETIME.exec(text);
  if (plain !== null) return within(localOf(plain));
  const match = ZONED.exec(text);
  if (match === null) return null;
  const local = localOf(match);
  const zone = zoneOf(match[ZONE_GROUP] as string, match[4] !== undefined);
  return local === null || zone === undefined ? null : within(fromLocalMicros(local, zone));
}

/** Microseconds of a text without a time zone; null as for `readTimestamp`. */
export function readDatetime(text: string): bigint | null {
  const match = DATETIME.exec(text);
  return match === null ? null : within(localOf(match, false));
}

/** Days since 1970 of a text without a time of day; null for another text. */
export function readDate(text: string): bigint | null {
  const match = DATE.exec(text);
  return match === null ? null : daysOf(Number(match[1]), Number(match[2]), Number(match[3]));
}

/** Microseconds of the day; null for a text that is no time of day. A second 60 after 23:59 is midnight. */
export function readTimeOfDay(text: string): bigint | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (hour > 23 || minute > 59 || second > 60) return null;
  const fraction = second === 60 ? 0n : BigInt((match[4] ?? '').padEnd(6, '0'));
  return (BigInt(hour * 3600 + minute * 60 + second) * MICROS_PER_SECOND + fraction) % MICROS_PER_DAY;
}

/** `08:30:00`, with three or six fractional digits unless they are zero. @param micros of the day */
export function timeOfDayText(micros: bigint): string {
  const seconds = Number(micros / MICROS_PER_SECOND);
  const two = (part: number): string => String(part).padStart(2, '0');
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return `${clock}${fractionText(micros % MICROS_PER_SECOND)}`;
}

/** `.500`, `.000001`; empty for zero. */
export function fractionText(micros: bigint): string {
  if (micros === 0n) return '';
  return `.${String(micros).padStart(6, '0').replace(/000$/, '')}`;
}

/** Whether a text that `readTimestamp` reads has a zone of its own. */
export function hasZone(text: string): boolean {
  return !DATETIME.test(text);
}

/** Without a time of day a text has room for an offset only. */
function zoneOf(written: string, hasClock: boolean): TimeZone | undefined {
  if (/^[+-]/.test(written)) return offsetZone(written);
  if (!hasClock) return undefined;
  if (/^z$/i.test(written)) return UTC;
  const name = written.slice(1);
  return name.startsWith('UTC') && name.length > 3 ? offsetZone(name.slice(3)) : namedZone(name);
}

/** @param keepsFraction whether a second 60 has a fraction */
function localOf(match: RegExpExecArray, keepsFraction = true): bigint | null {
  const days = daysOf(Number(match[1]), Number(match[2]), Number(match[3]));
  const [hour, minute, second] = mapItems([match[4], match[5], match[6]], (digits) => Number(digits ?? 0));
  if (days === null || hour > 23 || minute > 59 || second > 60) return null;
  const hasFraction = keepsFraction || second !== 60;
  const fraction = hasFraction ? BigInt((match[7] ?? '').padEnd(6, '0').slice(0, 6)) : 0n;
  return days * MICROS_PER_DAY + BigInt(hour * 3600 + minute * 60 + second) * MICROS_PER_SECOND + fraction;
}

function within(micros: bigint | null): bigint | null {
  return micros === null || micros < MIN_MICROS || micros > MAX_MICROS ? null : micros;
}
