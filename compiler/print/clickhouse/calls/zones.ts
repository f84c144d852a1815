/** Conversion between UTC and the local time of a zone. */
import type { TimeZone } from '../../../time/time-zone';
import { isUtc } from '../../base/time';
import { fromMicros, int, micros, quoteText } from '../literals';

const MICROS_PER_MINUTE = 60_000_000n;

/** Local time in the zone. @param x a short text, which is repeated */
export function toLocal(x: string, zone: TimeZone): string {
  if (isUtc(zone)) return x;
  // Converts via text: timeZoneOffset is a day off in zones that have skipped a day (26.7).
  if (zone.kind === 'named') return `toDateTime64(toString(toTimeZone(${x}, ${quoteText(zone.name)})), 6, 'UTC')`;
  return fromMicros(`(${micros(x)} + ${offsetMicros(x, zone)})`);
}

export function offsetMicros(x: string, zone: TimeZone): string {
  if (zone.kind === 'offset') return int(BigInt(zone.minutes) * MICROS_PER_MINUTE);
  return `(${micros(toLocal(x, zone))} - ${micros(x)})`;
}

/** The instant of a local time. */
export function fromLocal(x: string, zone: TimeZone): string {
  if (isUtc(zone)) return x;
  if (zone.kind === 'offset') return fromMicros(`(${micros(x)} - ${offsetMicros(x, zone)})`);
  return `toTimeZone(toDateTime64(toString(${x}), 6, ${quoteText(zone.name)}), 'UTC')`;
}
