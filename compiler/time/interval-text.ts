/** Reads the texts of intervals: those of literals with units, and those of CAST. */
import { intervalOf } from './interval';
import { UNIT_MICROS, UNIT_MONTHS, type TimeUnit } from './time-units';

const FIELDS = ['YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'SECOND'] as const;
type Field = (typeof FIELDS)[number];

/** Units of an INTERVAL with one unit. */
export const INTERVAL_UNITS: readonly TimeUnit[] = [
  ...(['MICROSECOND', 'MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK'] as const),
  ...(['MONTH', 'QUARTER', 'YEAR'] as const),
];
/** Digits of a field: more would be beyond all limits. */
const NUMBER = String.raw`\d{1,19}`;
const SECONDS = String.raw`(?<SECOND>${NUMBER}(?:\.\d{1,6})?|\.\d{1,6})`;

/** Whether `first TO last` are units of one literal. */
export function isFieldRange(first: string, last: string): boolean {
  const [from, to] = [fieldIndex(first), fieldIndex(last)];
  return from !== -1 && from < to;
}

/**
 * Reads the text of `INTERVAL 'text' first TO last`; `first` alone where `last` is null.
 * @returns undefined for another text, or an interval that is too long
 */
export function readIntervalFields(text: string, first: TimeUnit, last: TimeUnit | null): bigint | undefined {
  if (last !== null) return readFields(text, fieldIndex(first), fieldIndex(last));
  if (first === 'SECOND') return readFields(text, fieldIndex(first), fieldIndex(first));
  return /^[+-]?\d{1,19}$/.test(text) ? intervalOfUnit(BigInt(text), first) : undefined;
}

export function intervalOfUnit(amount: bigint, unit: TimeUnit): bigint | undefined {
  const months = UNIT_MONTHS[unit];
  if (months !== undefined) return intervalOf({ months: amount * months, days: 0n, micros: 0n });
  if (unit === 'DAY' || unit === 'WEEK') {
    return intervalOf({ months: 0n, days: amount * (unit === 'WEEK' ? 7n : 1n), micros: 0n });
  }
  return intervalOf({ months: 0n, days: 0n, micros: amount * (UNIT_MICROS[unit] ?? 0n) });
}

/** Forms of CAST, from the first field to the last. */
const CAST_FORMS: readonly (readonly [Field, Field])[] = [
  ['YEAR', 'SECOND'],
  ['YEAR', 'MINUTE'],
  ['YEAR', 'HOUR'],
  ['YEAR', 'DAY'],
  ['YEAR', 'MONTH'],
  ['DAY', 'SECOND'],
  ['DAY', 'MINUTE'],
  ['HOUR', 'SECOND'],
];

/** Reads a text as CAST does: `1-2 3 4:5:6.5`, `P1Y2M3DT4H5M6.5S`. @returns undefined as `readIntervalFields` */
export function readInterval(text: string): bigint | undefined {
  if (text.startsWith('P')) return readIso(text);
  for (const [first, last] of CAST_FORMS) {
    const found = readFields(text, fieldIndex(first), fieldIndex(last));
    if (found !== undefined) return found;
  }
  return undefined;
}

function fieldIndex(unit: string): number {
  const fields: readonly string[] = FIELDS;
  return fields.indexOf(unit);
}

/** A sign counts for years and months together, for days, and for the time of day. */
function readFields(text: string, from: number, to: number): bigint | undefined {
  const groups = patternOf(from, to).exec(text)?.groups;
  if (groups === undefined) return undefined;
  const whole = (name: Field): bigint => BigInt(groups[name] ?? 0);
  const sign = (name: string): bigint => (groups[name] === '-' ? -1n : 1n);
  const clock = (whole('HOUR') * 60n + whole('MINUTE')) * 60_000_000n + microsOf(groups['SECOND'] ?? '0');
  return intervalOf({
    months: sign('ofMonths') * (whole('YEAR') * 12n + whole('MONTH')),
    days: sign('ofDays') * whole('DAY'),
    micros: sign('ofClock') * clock,
  });
}

const patterns = new Map<string, RegExp>();

function patternOf(from: number, to: number): RegExp {
  const key = `${from} ${to}`;
  const known = patterns.get(key);
  if (known !== undefined) return known;
  const within = (first: number, last: number): readonly Field[] =>
    FIELDS.slice(Math.max(from, first), Math.min(to, last) + 1);
  const written = (field: Field): string => (field === 'SECOND' ? SECONDS : `(?<${field}>${NUMBER})`);
  const part = (fields: readonly Field[], separator: string, sign: string): readonly string[] =>
    fields.length === 0 ? [] : [`(?<${sign}>[+-]?)${fields.map(written).join(separator)}`];
  const parts = [
    ...part(within(0, 1), '-', 'ofMonths'),
    ...part(within(2, 2), '', 'ofDays'),
    ...part(within(3, 5), ':', 'ofClock'),
  ];
  const pattern = new RegExp(`^${parts.join(' ')}$`);
  patterns.set(key, pattern);
  return pattern;
}

/** @param seconds digits with a fraction or without */
function microsOf(seconds: string): bigint {
  const [whole = '', fraction = ''] = seconds.split('.');
  return BigInt(whole === '' ? 0 : whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
}

const ISO = /^P(?<date>(?:-?\d{1,19}[YMWD])*)(?:T(?<clock>(?:-?(?:\d{1,19}(?:\.\d{1,6})?|\.\d{1,6})[HMS])*))?$/;
const ISO_MONTHS: Readonly<Record<string, bigint>> = { Y: 12n, M: 1n };
const ISO_DAYS: Readonly<Record<string, bigint>> = { W: 7n, D: 1n };
const ISO_SECONDS: Readonly<Record<string, bigint>> = { H: 3600n, M: 60n, S: 1n };

function readIso(text: string): bigint | undefined {
  const { date = '', clock = '' } = ISO.exec(text)?.groups ?? {};
  if (date === '' && clock === '') return undefined;
  let [months, days, micros] = [0n, 0n, 0n];
  for (const [, digits = '', unit = ''] of date.matchAll(/(-?\d+)([YMWD])/g)) {
    months += BigInt(digits) * (ISO_MONTHS[unit] ?? 0n);
    days += BigInt(digits) * (ISO_DAYS[unit] ?? 0n);
  }
  for (const [, sign, digits = '', unit = ''] of clock.matchAll(/(-?)([\d.]+)([HMS])/g)) {
    if (unit !== 'S' && digits.includes('.')) return undefined;
    micros += (sign === '-' ? -1n : 1n) * microsOf(digits) * (ISO_SECONDS[unit] ?? 0n);
  }
  return intervalOf({ months, days, micros });
}
