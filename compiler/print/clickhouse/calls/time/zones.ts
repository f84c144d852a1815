/** Conversion between UTC and the local time of a zone. */
import type { TimeZone } from '../../../../time/time-zone';
import { isUtc } from '../../../base/time/time';
import { MICROS_PER_DAY } from '../../../../time/parse-iso';
import { fromLocalLimits, toLocalLimits } from '../../../../time/time-limits';
import { nameOnce } from '../../values/bind-once';
import { fromMicros, int, micros, quoteText } from '../../values/literals';
import { whereWithin } from './time-range';

const MICROS_PER_MINUTE = 60_000_000n;

/** Local time in the zone. @param x a short text, which is repeated */
export function toLocal(x: string, zone: TimeZone, safe = false): string {
  return whereWithin(x, 'TIMESTAMP', toLocalLimits(zone), safe, localOf(x, zone));
}

/** Like `toLocal`, for an instant that has a local time. */
export function localOf(x: string, zone: TimeZone): string {
  if (isUtc(zone)) return x;
  // Converts via text: timeZoneOffset is a day off in zones that have skipped a day (26.7).
  if (zone.kind === 'named') return `toDateTime64(toString(toTimeZone(${x}, ${quoteText(zone.name)})), 6, 'UTC')`;
  return fromMicros(`(${micros(x)} + ${offsetMicros(x, zone)})`);
}

export function offsetMicros(x: string, zone: TimeZone): string {
  if (zone.kind === 'offset') return int(BigInt(zone.minutes) * MICROS_PER_MINUTE);
  return `(${micros(localOf(x, zone))} - ${micros(x)})`;
}

/** The instant of a local time: the first of two. @param x a short text, which is repeated */
export function fromLocal(x: string, zone: TimeZone, safe = false): string {
  return whereWithin(x, 'DATETIME', fromLocalLimits(zone), safe, firstInstant(x, zone));
}

/** The instant of a local time that a clock does not skip. */
export function instantOf(x: string, zone: TimeZone): string {
  if (isUtc(zone)) return x;
  if (zone.kind === 'offset') return fromMicros(`(${micros(x)} - ${offsetMicros(x, zone)})`);
  return `toTimeZone(toDateTime64(toString(${x}), 6, ${quoteText(zone.name)}), 'UTC')`;
}

/** ClickHouse reads a skipped time with the offset after the change; with that of the day before it is right. */
export function firstInstant(x: string, zone: TimeZone): string {
  if (zone.kind !== 'named') return instantOf(x, zone);
  return nameOnce(`tuple(${x}, ${instantOf(x, zone)})`, (v) => {
    const dayBefore = fromMicros(`(${micros(`${v}.2`)} - ${int(MICROS_PER_DAY)})`);
    const moved = fromMicros(`(${micros(`${v}.1`)} - ${offsetMicros(dayBefore, zone)})`);
    return `(CASE WHEN ${localOf(`${v}.2`, zone)} <> ${v}.1 THEN ${moved} ELSE ${v}.2 END)`;
  });
}
