/** Facts about units and zones by which both dialects choose their SQL. */
import type { TimeUnit } from '../../../time/time-units';
import type { TimeZone } from '../../../time/time-zone';

export function isUtc(zone: TimeZone): boolean {
  return zone.kind === 'offset' && zone.minutes === 0;
}

/** Zone offsets are whole minutes, so these units start at the same instants in all zones. */
export function isSubHour(unit: TimeUnit): boolean {
  return unit === 'MICROSECOND' || unit === 'MILLISECOND' || unit === 'SECOND' || unit === 'MINUTE';
}
