/** Times of syslog messages: RFC 3339, and the forms without year or zone that RFC 3164 describes and devices send. */
import type { TimeZone } from './time-zone';

export interface TimeContext {
  /**
   * Milliseconds since 1970. The year of a time that names none is the last one in which it is not more than a day
   * after this moment.
   */
  readonly nowMs: number;
  /** Zone of times that name none. */
  readonly zone: TimeZone;
}

export interface ReadTime {
  readonly nanos: bigint;
  /** Offset in the text of the first character after the time. */
  readonly end: number;
}

const NANOS_PER_MS = 1_000_000n;
const RFC_3339 =
  /(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?(?=[ :]|$)/y;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH_FIRST = new RegExp(
  String.raw`(?:((?:19|20)\d{2}) )?(${MONTHS.join('|')}) {1,2}(\d{1,2})(?: ((?:19|20)\d{2}))? ` +
    String.raw`(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?(?: ((?:19|20)\d{2})(?= ))?(?=[ :]|$)`,
  'y'
);
/** Seconds since 1970 with their fraction, as Meraki devices write them. */
const EPOCH = /(\d{10})\.(\d{1,9})(?= )/y;

/** @param isStrict a zone is required, as in RFC 5424 */
export function readRfc3339(text: string, start: number, zone: TimeZone, isStrict: boolean): ReadTime | null {
  RFC_3339.lastIndex = start;
  const match = RFC_3339.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction, utc, sign, zoneHour, zoneMinute] = match;
  const hasZone = utc !== undefined || sign !== undefined;
  if (isStrict && (!hasZone || text[start + 10] === ' ')) return null;
  const localMs = utcMs([Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)]);
  if (localMs === null || Number(zoneHour ?? 0) > 23 || Number(zoneMinute ?? 0) > 59) return null;
  const offsetMs = (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0)) * 60_000 * (sign === '-' ? -1 : 1);
  return readTime(hasZone ? localMs - offsetMs : zone.toUtcMs(localMs), fraction, RFC_3339.lastIndex);
}

/** Reads `Jan  2 15:04:05`, with a year before or after it, and with a fraction. */
export function readMonthFirst(text: string, start: number, { nowMs, zone }: TimeContext): ReadTime | null {
  MONTH_FIRST.lastIndex = start;
  const match = MONTH_FIRST.exec(text);
  if (match === null) return null;
  const [, yearBefore, month, day, yearBetween, hour, minute, second, fraction, yearAfter] = match;
  const year = yearBefore ?? yearBetween ?? yearAfter;
  const end = MONTH_FIRST.lastIndex;
  const at = (ofYear: number): number | null => {
    const localMs = utcMs([ofYear, MONTHS.indexOf(month!), Number(day), Number(hour), Number(minute), Number(second)]);
    return localMs === null ? null : zone.toUtcMs(localMs);
  };
  const ms = year === undefined ? lastBefore(nowMs, at) : at(Number(year));
  return ms === null ? null : readTime(ms, fraction, end);
}

export function readEpoch(text: string, start: number): ReadTime | null {
  EPOCH.lastIndex = start;
  const match = EPOCH.exec(text);
  return match === null ? null : readTime(Number(match[1]) * 1000, match[2], EPOCH.lastIndex);
}

/** Events of a day ahead are stored: clocks are wrong, and zones are not known. */
const DAY_MS = 86_400_000;

/** @param at null: the year has no such day */
function lastBefore(nowMs: number, at: (year: number) => number | null): number | null {
  const year = new Date(nowMs).getUTCFullYear();
  for (const candidate of [year + 1, year, year - 1]) {
    const ms = at(candidate);
    if (ms !== null && ms <= nowMs + DAY_MS) return ms;
  }
  return null;
}

function readTime(ms: number, fraction: string | undefined, end: number): ReadTime | null {
  if (ms < 0) return null;
  return { nanos: BigInt(ms) * NANOS_PER_MS + BigInt((fraction ?? '').padEnd(9, '0')), end };
}

type Components = readonly [year: number, month: number, day: number, hour: number, minute: number, second: number];

/** @returns null for a date or time that does not exist; a leap second is the second after it */
function utcMs([year, month, day, hour, minute, second]: Components): number | null {
  if (hour > 23 || minute > 59 || second > 60) return null;
  const date = new Date(Date.UTC(year, month, day));
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month && date.getUTCDate() === day;
  return exists ? date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 : null;
}
