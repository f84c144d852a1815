/** Compares what a text gives on the reference and on a store. */
import type { Outcome, StoreOutcome } from './outcome';
import { fieldKey, type NamedType, parseTypeName } from './type-name';

export const VERDICTS = [
  'same',
  'both refuse',
  'wrong rows',
  'other order',
  'other types',
  'other names',
  'refused here',
  'accepted here',
  'internal error',
  'not comparable',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Codes of failures that are not the text's. */
const INTERNAL = ['backend_error', 'internal', 'schema_changed'];

/**
 * Approximations and PERCENTILE_DISC over groups: valid there, but not evaluated. The client cannot read INTERVAL. Some
 * joins take the reference minutes, and endless recursions all its memory.
 */
const NOT_EVALUATED =
  /Unsupported (?:built-in|aggregate) function|^UnsupportedOperationException$|^timeout:|^Out of memory for/;

export interface HowToCompare {
  /** Whether the order of rows counts. */
  readonly isOrdered: boolean;
  /** Largest relative difference of two FLOAT64 that are taken for equal. */
  readonly tolerance: number;
}

/** A mean of values whose sum is zero may be 5e-20 on the reference. */
const SMALLEST = 1e-6;

export function compareOutcomes(
  reference: Outcome,
  ours: StoreOutcome,
  { isOrdered, tolerance }: HowToCompare
): Verdict {
  if (ours.error !== undefined && (ours.code === undefined || INTERNAL.includes(ours.code))) return 'internal error';
  if (NOT_EVALUATED.test(reference.error ?? '')) return 'not comparable';
  if (reference.error !== undefined) return ours.error === undefined ? 'accepted here' : 'both refuse';
  if (ours.error !== undefined) return 'refused here';
  if (reference.columns.length !== ours.columns.length) return 'wrong rows';
  const types = reference.columns.map(({ type }) => parseTypeName(type));
  const found = comparableRows(ours.rows, types);
  const whole = comparableRows(reference.rows, types);
  if (ours.isTruncated === true && !isOrdered) return areAmong(found, whole) ? 'same' : 'wrong rows';
  const expected = ours.isTruncated === true ? whole.slice(0, found.length) : whole;
  const isSameOrder = areClose(expected, found, tolerance);
  if (!isSameOrder && !areClose(sorted(expected), sorted(found), tolerance)) return 'wrong rows';
  if (!isSameOrder && isOrdered) return 'other order';
  if (reference.columns.some(({ type }, index) => plainType(type) !== plainType(ours.columns[index]?.type ?? '')))
    return 'other types';
  return haveSameNames(reference.columns, ours.columns) ? 'same' : 'other names';
}

/** A column without a name there may have any here, and a repeated name has a number here: "id", "id_1". */
function haveSameNames(expected: Outcome['columns'], found: Outcome['columns']): boolean {
  const seen = new Set<string>();
  return expected.every(({ name }, index) => {
    const other = found[index]?.name ?? '';
    const isRepeated = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    return name === '' || name === other || (isRepeated && other.replace(/_\d+$/, '') === name);
  });
}

/** A row cap may cut off any rows of a query without ORDER BY. */
function areAmong(rows: readonly unknown[], whole: readonly unknown[]): boolean {
  const known = new Set(whole.map((row) => JSON.stringify(row)));
  return rows.every((row) => known.has(JSON.stringify(row)));
}

function comparableRows(rows: Outcome['rows'], types: readonly NamedType[]): readonly unknown[] {
  return rows.map((row) => row.map((value, index) => comparable(value, types[index] as NamedType)));
}

/** Values in one form: times as ISO text, without NULL fields and empty lists of records, which responses leave out. */
export function comparable(value: unknown, type: NamedType): unknown {
  if (value === null || value === undefined) return null;
  if (type.kind === 'ARRAY') return Array.isArray(value) ? value.map((item) => comparable(item, type.item)) : value;
  if (type.kind === 'STRUCT') return comparableStruct(value as Readonly<Record<string, unknown>>, type);
  if (type.name === 'TIMESTAMP' && /^-?\d+$/.test(String(value))) return timeText(BigInt(String(value)));
  if (type.name === 'DATETIME' || type.name === 'TIME')
    return String(value)
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, '');
  // JSON has no NaN and no infinity.
  if (type.name === 'FLOAT64') return Number.isFinite(Number(value)) ? Number(value) + 0 : null;
  return type.name === 'JSON' ? sortedKeys(value) : value;
}

function comparableStruct(value: Readonly<Record<string, unknown>>, type: NamedType & { kind: 'STRUCT' }): unknown {
  const entries = type.fields
    .map((field, index) => [fieldKey(field, index), field.type] as const)
    .map(([key, inner]) => [key, comparable(value[key], inner)] as const);
  return Object.fromEntries(
    entries.filter(([, inner]) => inner !== null && !(Array.isArray(inner) && inner.length === 0))
  );
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortedKeys(inner)])
  );
}

/** As Java writes an Instant: fractions of three or six digits. */
function timeText(micros: bigint): string {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const date = new Date(Number((micros - fraction) / 1000n));
  if (Number.isNaN(date.getTime())) return String(micros);
  const digits = String(fraction)
    .padStart(6, '0')
    .replace(/^(\d{3})000$/, '$1');
  return `${date.toISOString().slice(0, -5)}${fraction === 0n ? '' : `.${digits}`}Z`;
}

function areClose(one: unknown, other: unknown, tolerance: number): boolean {
  if (typeof one === 'number' && typeof other === 'number')
    return one === other || Math.abs(one - other) <= tolerance * Math.max(Math.abs(one), Math.abs(other), SMALLEST);
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const entries = Object.entries(one);
  return (
    entries.length === Object.keys(other).length &&
    entries.every(([key, value]) => key in other && areClose(value, other[key as keyof typeof other], tolerance))
  );
}

const sorted = (rows: readonly unknown[]): readonly unknown[] =>
  rows
    .map((row) => [JSON.stringify(row), row] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, row]) => row);

/** Responses name all fields of a STRUCT. */
const plainType = (type: string): string => type.replaceAll('`', '').replace(/_field_\d+ /g, '');
