/** Conversion between UTC and the local time of a zone. */
import type { TimeZone } from '../../../time/time-zone';
import { quoteText } from '../literals';

const MICROS_PER_MINUTE = 60_000_000;

/** Local time in the zone. */
export function toLocal(x: string, zone: TimeZone): string {
  if (zone.kind === 'named') return `timezone(${quoteText(zone.name)}, timezone('UTC', ${x}))`;
  return zone.minutes === 0 ? x : `(${x} + ${micros(zone.minutes * MICROS_PER_MINUTE)})`;
}

/** The instant of a local time. */
export function fromLocal(x: string, zone: TimeZone): string {
  if (zone.kind === 'named') return `timezone('UTC', timezone(${quoteText(zone.name)}, ${x}))`;
  return zone.minutes === 0 ? x : `(${x} - ${micros(zone.minutes * MICROS_PER_MINUTE)})`;
}

function micros(count: number): string {
  return `to_microseconds(CAST(${count} AS BIGINT))`;
}
