/** Time units by their keywords. */

export const TIME_UNITS = [
  'MICROSECOND',
  'MILLISECOND',
  'SECOND',
  'MINUTE',
  'HOUR',
  'DAY',
  'WEEK',
  'ISOWEEK',
  'MONTH',
  'QUARTER',
  'YEAR',
  'ISOYEAR',
] as const;

export type TimeUnit = (typeof TIME_UNITS)[number];

/** Parts of a time that are numbers. */
export type TimePart = TimeUnit | 'DAYOFWEEK' | 'DAYOFYEAR';

/** Units of constant length. */
export const UNIT_MICROS: Readonly<Partial<Record<TimeUnit, bigint>>> = {
  MICROSECOND: 1n,
  MILLISECOND: 1_000n,
  SECOND: 1_000_000n,
  MINUTE: 60_000_000n,
  HOUR: 3_600_000_000n,
  DAY: 86_400_000_000n,
  WEEK: 604_800_000_000n,
};

/** Microseconds of a unit of constant length. @throws RangeError for other units */
export function unitMicros(unit: TimeUnit): bigint {
  const micros = UNIT_MICROS[unit];
  if (micros === undefined) throw new RangeError(`${unit} has no constant length.`);
  return micros;
}

export const UNIT_MONTHS: Readonly<Partial<Record<TimeUnit, bigint>>> = { MONTH: 1n, QUARTER: 3n, YEAR: 12n };

/** Days of the week in order; by default a week begins on Sunday. */
export const WEEKDAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const;
