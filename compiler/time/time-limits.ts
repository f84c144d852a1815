/**
 * Limits of the values for which a function stays in the years 0001 to 9999, so that stores compare a value instead of
 * a result. TIMESTAMP and DATETIME are in microseconds, DATE in days.
 */
import { addDays, addMicros, truncateDays, truncateMicros } from './calendar';
import { daysOf, MAX_DAYS, MAX_MICROS, MICROS_PER_DAY, MIN_DAYS, MIN_MICROS } from './parse-iso';
import { toLocalMicros, type TimeZone } from './time-zone';
import { UNIT_MONTHS, type TimeUnit, unitMicros } from './time-units';

/** Lowest and highest value, inclusive; null: no limit but that of the type. */
export interface Limits {
  readonly low: bigint | null;
  readonly high: bigint | null;
  /** Whether no value is within the limits. */
  readonly none: boolean;
}

export type TimeKind = 'DATE' | 'DATETIME' | 'TIMESTAMP';

/** Values to which a constant number of units can be added. */
export function shiftLimits(kind: TimeKind, amount: bigint, unit: TimeUnit): Limits {
  const isDate = kind === 'DATE';
  const [min, max] = isDate ? [MIN_DAYS, MAX_DAYS] : [MIN_MICROS, MAX_MICROS];
  const months = UNIT_MONTHS[unit];
  if (months === undefined) {
    const length = unitMicros(unit) / (isDate ? MICROS_PER_DAY : 1n);
    return limits(min - amount * length, max - amount * length, min, max);
  }
  const scale = isDate ? 1n : MICROS_PER_DAY;
  // Months are counted from January of the year 0.
  const [first, last] = [12n - amount * months, 119_999n - amount * months];
  const low = first <= 12n ? min : startOfMonth(first) * scale;
  const high = last >= 119_999n ? max : startOfMonth(last + 1n) * scale - 1n;
  return limits(low, high, min, max);
}

/** Instants with a local time. */
export function toLocalLimits(zone: TimeZone): Limits {
  const { first, last } = offsetsAtEnds(zone);
  return limits(MIN_MICROS - first, MAX_MICROS - last, MIN_MICROS, MAX_MICROS);
}

/** Local times with an instant. */
export function fromLocalLimits(zone: TimeZone): Limits {
  const { first, last } = offsetsAtEnds(zone);
  return limits(MIN_MICROS + first, MAX_MICROS + last, MIN_MICROS, MAX_MICROS);
}

/** Values whose unit begins in the years 0001 to 9999. */
export function truncateLimits(kind: TimeKind, unit: TimeUnit, weekday: number, zone: TimeZone): Limits {
  if (kind === 'DATE') return limits(firstStart(MIN_DAYS, kind, unit, weekday), MAX_DAYS, MIN_DAYS, MAX_DAYS);
  const { first, last } = offsetsAtEnds(zone);
  const least = first > 0n ? MIN_MICROS + first : MIN_MICROS;
  return limits(firstStart(least, kind, unit, weekday) - first, MAX_MICROS - last, MIN_MICROS, MAX_MICROS);
}

/** First start of a unit from a time on, in the first years. */
function firstStart(from: bigint, kind: TimeKind, unit: TimeUnit, weekday: number): bigint {
  const isDate = kind === 'DATE';
  const start = (time: bigint): bigint =>
    isDate ? truncateDays(time, unit, weekday) : truncateMicros(time, unit, weekday);
  if (start(from) === from) return from;
  if (unit === 'ISOYEAR') return start(from + 371n * (isDate ? 1n : MICROS_PER_DAY));
  const step = unit === 'ISOWEEK' ? 'WEEK' : unit;
  const later = isDate ? addDays(from, 1n, step) : addMicros(from, 1n, step);
  return start(later ?? from);
}

/** Offsets of a zone in the first and in the last year. */
function offsetsAtEnds(zone: TimeZone): { readonly first: bigint; readonly last: bigint } {
  if (zone.kind === 'named') {
    let known = ofZones.get(zone.name);
    if (known === undefined) {
      known = {
        first: toLocalMicros(MIN_MICROS, zone) - MIN_MICROS,
        last: toLocalMicros(MAX_MICROS, zone) - MAX_MICROS,
      };
      ofZones.set(zone.name, known);
    }
    return known;
  }
  const offset = toLocalMicros(0n, zone);
  return { first: offset, last: offset };
}

const ofZones = new Map<string, { readonly first: bigint; readonly last: bigint }>();

/** Days since 1970 of the first day of a month, which may be the one after the last. */
function startOfMonth(month: bigint): bigint {
  if (month < 12n) return MIN_DAYS;
  if (month > 119_999n) return MAX_DAYS + 1n;
  return daysOf(Number(month / 12n), Number(month % 12n) + 1, 1) as bigint;
}

function limits(low: bigint, high: bigint, min: bigint, max: bigint): Limits {
  return {
    low: low <= min ? null : low > max ? max + 1n : low,
    high: high >= max ? null : high < min ? min - 1n : high,
    none: low > max || high < min,
  };
}
