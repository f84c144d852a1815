/** Conversion between UTC and the local time of a zone. */
import { structPack } from '../../values/struct-pack';
import { fromLocalLimits, toLocalLimits } from '../../../../time/time-limits';
import type { TimeZone } from '../../../../time/time-zone';
import { nameOnce } from '../../values/bind-once';
import { quoteText } from '../../values/literals';
import { whereWithin } from './time-range';

const MICROS_PER_MINUTE = 60_000_000;

/** Local time in the zone. @param x a short text, which is repeated */
export function toLocal(x: string, zone: TimeZone, safe = false): string {
  return whereWithin(x, 'TIMESTAMP', toLocalLimits(zone), safe, localOf(x, zone));
}

/** Like `toLocal`, for an instant that has a local time. */
export function localOf(x: string, zone: TimeZone): string {
  if (zone.kind === 'named') return `timezone(${quoteText(zone.name)}, timezone('UTC', ${x}))`;
  return zone.minutes === 0 ? x : `(${x} + ${micros(zone.minutes * MICROS_PER_MINUTE)})`;
}

/** The instant of a local time: the first of two. @param x a short text, which is repeated */
export function fromLocal(x: string, zone: TimeZone, safe = false): string {
  return whereWithin(x, 'DATETIME', fromLocalLimits(zone), safe, firstInstant(x, zone));
}

/** The instant of a local time that a clock shows once or never. */
export function instantOf(x: string, zone: TimeZone): string {
  if (zone.kind === 'named') return `timezone('UTC', timezone(${quoteText(zone.name)}, ${x}))`;
  return zone.minutes === 0 ? x : `(${x} - ${micros(zone.minutes * MICROS_PER_MINUTE)})`;
}

/** DuckDB finds the second of two instants. With the offset of the day before it finds the first. */
export function firstInstant(x: string, zone: TimeZone): string {
  if (zone.kind !== 'named') return instantOf(x, zone);
  const offset = (u: string): string => `(${localOf(`(${u} - INTERVAL 1 DAY)`, zone)} - (${u} - INTERVAL 1 DAY))`;
  return nameOnce(
    structPack([
      ['x', x],
      ['u', instantOf(x, zone)],
    ]),
    (v) => {
      const first = `(${v}.x - ${offset(`${v}.u`)})`;
      return `(CASE WHEN ${localOf(first, zone)} = ${v}.x THEN ${first} ELSE ${v}.u END)`;
    }
  );
}

function micros(count: number): string {
  return `to_microseconds(CAST(${count} AS BIGINT))`;
}
