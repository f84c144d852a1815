/** Time zone of times that name none: an offset, or a zone with its daylight saving time. */
import { LRUCache } from 'lru-cache';

export interface TimeZone {
  /** @param localMs date and time as if they were UTC @returns milliseconds since 1970 */
  toUtcMs(localMs: number): number;
}

const MINUTE_MS = 60_000;
const OFFSET = /^([+-])([01]\d|2[0-3]):([0-5]\d)$/;
/** Offsets change at whole quarters of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;

/** @param name `UTC`, `+02:00` or the name of a zone like `Europe/Berlin` @returns null for another text */
export function timeZoneOf(name: string): TimeZone | null {
  if (name === 'UTC') return { toUtcMs: (localMs) => localMs };
  const offset = OFFSET.exec(name);
  if (offset !== null) {
    const ms = (Number(offset[2]) * 60 + Number(offset[3])) * MINUTE_MS * (offset[1] === '-' ? -1 : 1);
    return { toUtcMs: (localMs) => localMs - ms };
  }
  return namedZone(name);
}

function namedZone(name: string): TimeZone | null {
  const format = formatOf(name);
  if (format === null) return null;
  const offsets = new LRUCache<number, number>({ max: 1000 });
  return {
    toUtcMs: (localMs) => {
      const quarter = Math.floor(localMs / QUARTER_MS);
      let offsetMs = offsets.get(quarter);
      if (offsetMs === undefined) {
        offsetMs = localOffsetMs(format, quarter * QUARTER_MS);
        offsets.set(quarter, offsetMs);
      }
      return localMs - offsetMs;
    },
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  if (!/^[A-Za-z]/.test(timeZone)) return null;
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * A local time that occurs twice is taken for the first one; one that is skipped is as much later as the clock was put
 * forward.
 */
function localOffsetMs(format: Intl.DateTimeFormat, localMs: number): number {
  const before = offsetAtMs(format, localMs - DAY_MS);
  const after = offsetAtMs(format, localMs + DAY_MS);
  if (before === after) return before;
  return offsetAtMs(format, localMs - before) === before ? before : isReached(format, localMs, after) ? after : before;
}

const DAY_MS = 86_400_000;

const isReached = (format: Intl.DateTimeFormat, localMs: number, offsetMs: number): boolean =>
  offsetAtMs(format, localMs - offsetMs) === offsetMs;

function offsetAtMs(format: Intl.DateTimeFormat, utcMs: number): number {
  const parts = new Map(format.formatToParts(utcMs).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type)!;
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return local - Math.floor(utcMs / 1000) * 1000;
}
