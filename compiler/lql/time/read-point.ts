/** Parses points in time: dates, datetimes and Unix times. Invalid calendar dates are refused. */
import { parseIsoDate, parseIsoTimestamp } from '../../time/parse-iso';
import type { TimePoint } from '../rules';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATETIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?$/;
/** Microseconds per unit of a Unix time, by its number of digits. */
const UNIX_STEPS: ReadonlyMap<number, bigint> = new Map([
  [10, 1_000_000n],
  [13, 1_000n],
  [16, 1n],
]);

/** Parses a date or datetime, UTC by default; null for other texts and nonexistent days or times. */
export function readCalendarPoint(text: string): TimePoint | null {
  if (DATE.test(text)) {
    const days = parseIsoDate(text);
    return days === null ? null : { kind: 'day', days };
  }
  const micros = DATETIME.test(text) ? parseIsoTimestamp(text) : null;
  return micros === null ? null : { kind: 'instant', micros };
}

/** A date, datetime, or Unix time of 10, 13 or 16 digits (seconds, milliseconds, microseconds). */
export function readPoint(text: string): TimePoint | null {
  const step = /^\d+$/.test(text) ? UNIX_STEPS.get(text.length) : undefined;
  return step === undefined ? readCalendarPoint(text) : { kind: 'instant', micros: BigInt(text) * step };
}
