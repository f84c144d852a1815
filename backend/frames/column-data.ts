/** Creates Arrow columns from plain values, and selects rows of Arrow columns. */
import { Binary, Bool, type Data, Float64, Int64, makeData, makeVector, TimestampNanosecond, Utf8 } from 'apache-arrow';
import type { Column, FieldKind } from './frame';

/** Empty column data of a kind. Grafana does not accept dictionaries, large text or times with a zone. */
export function emptyData(kind: FieldKind): Data {
  switch (kind) {
    case 'time':
      return timeData(new BigInt64Array(0));
    case 'integer':
      return integerData([]);
    case 'number':
      return numberData([]);
    case 'boolean':
      return booleanData([]);
    case 'string':
      return textData([]);
    case 'json':
      return jsonData([]);
  }
}

export function timeData(nanos: BigInt64Array, nullBitmap?: Uint8Array): Data {
  return makeData({ type: new TimestampNanosecond(null), length: nanos.length, nullBitmap, data: nanos });
}

function integerData(values: readonly (bigint | null)[]): Data {
  const data = bigints(values);
  return makeData({ type: new Int64(), length: data.length, nullBitmap: nullBitmap(values), data });
}

function numberData(values: readonly (number | null)[]): Data {
  const data = new Float64Array(values.length);
  values.forEach((value, row) => (data[row] = value ?? 0));
  return makeData({ type: new Float64(), length: data.length, nullBitmap: nullBitmap(values), data });
}

function booleanData(values: readonly (boolean | null)[]): Data {
  return makeData({
    type: new Bool(),
    length: values.length,
    nullBitmap: nullBitmap(values),
    data: bits(values.length, (row) => values[row] === true),
  });
}

export function textData(values: readonly (string | null)[]): Data {
  return makeData({ type: new Utf8(), length: values.length, nullBitmap: nullBitmap(values), ...textBuffers(values) });
}

/** @param values JSON texts */
export function jsonData(values: readonly (string | null)[]): Data {
  return makeData({
    type: new Binary(),
    length: values.length,
    nullBitmap: nullBitmap(values),
    ...textBuffers(values),
  });
}

/** @param buffers concatenated JSON texts and their offsets */
export function jsonBuffers(buffers: { readonly valueOffsets: Int32Array; readonly data: Uint8Array }): Data {
  return makeData({ type: new Binary(), length: buffers.valueOffsets.length - 1, ...buffers });
}

export type CellValue = string | number | bigint | boolean | null;

/**
 * Returns a getter for the values of a column: numbers for `number`, bigints for `time` and `integer`, text for
 * `string` and `json`.
 */
export function valueAt(column: Column): (row: number) => CellValue {
  switch (column.kind) {
    case 'time':
    case 'integer':
      return fixedAt(column, integersOf(column));
    case 'number':
      return fixedAt(column, floatsOf(column));
    case 'boolean':
      return booleanAt(column);
    case 'string':
      return textAt(column);
    case 'json': {
      const get = bytesAt(column);
      return (row) => {
        const bytes = get(row);
        return bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
      };
    }
  }
}

function fixedAt<T>({ data }: Column, values: ArrayLike<T>): (row: number) => T | null {
  const isValid = (row: number): boolean => data.nullCount === 0 || data.getValid(row);
  return (row) => (isValid(row) ? (values[row] ?? null) : null);
}

function booleanAt({ data }: Column): (row: number) => boolean | null {
  const vector = makeVector(data);
  return (row) => {
    const value: unknown = vector.get(row);
    return typeof value === 'boolean' ? value : null;
  };
}

/** Returns a getter for the values of a `string` column. */
export function textAt({ data }: Column): (row: number) => string | null {
  const vector = makeVector(data);
  return (row) => {
    const value: unknown = vector.get(row);
    return typeof value === 'string' ? value : null;
  };
}

/** Values of a `time` or `integer` column, 0 where it is null. */
export function integersOf({ name, data }: Column): BigInt64Array {
  const values: unknown = data.values;
  if (values instanceof BigInt64Array) return values;
  throw new TypeError(`The column "${name}" has no integers of 64 bits.`);
}

function floatsOf({ name, data }: Column): Float64Array {
  const values: unknown = data.values;
  if (values instanceof Float64Array) return values;
  throw new TypeError(`The column "${name}" has no floats of 64 bits.`);
}

/** Returns a getter for the UTF-8 bytes of a `string` or `json` column, without copying. */
export function bytesAt({ data }: Column): (row: number) => Uint8Array | null {
  const { values, valueOffsets } = data as Data<Utf8>;
  const isValid = (row: number): boolean => data.nullCount === 0 || data.getValid(row);
  return (row) => (isValid(row) ? values.subarray(valueOffsets[row], valueOffsets[row + 1]) : null);
}

/** The values of a column as texts. */
export function columnAsText(column: Column): Column {
  const get = valueText(column);
  const texts = Array.from({ length: column.data.length }, (_, row) => get(row));
  return { name: column.name, kind: 'string', data: dataOf('string', texts) };
}

/** Returns a getter for the values of a column as texts. */
export function valueText(column: Column): (row: number) => string | null {
  const get = valueAt(column);
  if (column.kind !== 'time') {
    return (row) => {
      const value = get(row);
      return value === null ? null : String(value);
    };
  }
  return (row) => {
    const value = get(row);
    return value === null ? (column.outside?.get(row) ?? null) : timeText(value as bigint, column);
  };
}

/** Time in ISO 8601, or the day alone: shown in a time zone, its midnight in UTC would be the day before. */
function timeText(nanos: bigint, { isDays }: Pick<Column, 'isDays'>): string {
  const text = new Date(Number(nanos / 1_000_000n)).toISOString();
  return isDays ? text.slice(0, text.indexOf('T')) : text;
}

/** Selects rows in the given order. */
export function takeRows<T extends Column>(column: T, rows: readonly number[] | Uint32Array): T {
  const get = valueAt(column);
  const values = Array.from(rows, (row) => get(row));
  return { ...withoutOutside(column), data: dataOf(column.kind, values) };
}

/** The texts of another order of rows would be those of other rows. */
function withoutOutside<T extends Column>(column: T): T {
  if (column.outside === undefined) return column;
  const copy: { outside?: unknown } = { ...column };
  delete copy.outside;
  return copy as T;
}

/** @param values as returned by `valueAt` */
export function dataOf(kind: FieldKind, values: readonly unknown[]): Data {
  switch (kind) {
    case 'time':
      if (values.every(isBigintOrNull)) return timeData(bigints(values), nullBitmap(values));
      break;
    case 'integer':
      if (values.every(isBigintOrNull)) return integerData(values);
      break;
    case 'number':
      if (values.every(isNumberOrNull)) return numberData(values);
      break;
    case 'boolean':
      if (values.every(isBooleanOrNull)) return booleanData(values);
      break;
    case 'string':
      if (values.every(isTextOrNull)) return textData(values);
      break;
    case 'json':
      if (values.every(isTextOrNull)) return jsonData(values);
      break;
  }
  throw new TypeError(`A column of the kind "${kind}" has values of another kind.`);
}

const isBigintOrNull = (value: unknown): value is bigint | null => value === null || typeof value === 'bigint';
const isNumberOrNull = (value: unknown): value is number | null => value === null || typeof value === 'number';
const isBooleanOrNull = (value: unknown): value is boolean | null => value === null || typeof value === 'boolean';
const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';

function bigints(values: readonly (bigint | null)[]): BigInt64Array {
  const data = new BigInt64Array(values.length);
  values.forEach((value, row) => {
    if (value !== null) data[row] = value;
  });
  return data;
}

function textBuffers(values: readonly (string | null)[]): { valueOffsets: Int32Array; data: Uint8Array } {
  const valueOffsets = new Int32Array(values.length + 1);
  let bytes = 0;
  values.forEach((value, row) => {
    if (value !== null) bytes += Buffer.byteLength(value);
    valueOffsets[row + 1] = bytes;
  });
  const data = Buffer.allocUnsafeSlow(bytes);
  values.forEach((value, row) => {
    if (value !== null) data.write(value, valueOffsets[row] as number, 'utf8');
  });
  return { valueOffsets, data };
}

/** Undefined without nulls: Grafana treats a column without a bitmap as not nullable. */
function nullBitmap(values: readonly unknown[]): Uint8Array | undefined {
  return values.includes(null) ? bits(values.length, (row) => values[row] !== null) : undefined;
}

/** Packs bits in Arrow's order: the first value is the lowest bit of the first byte. */
function bits(length: number, isSet: (row: number) => boolean): Uint8Array {
  const bytes = new Uint8Array((length + 7) >> 3);
  for (let row = 0; row < length; row++) if (isSet(row)) (bytes[row >> 3] as number) |= 1 << (row & 7);
  return bytes;
}
