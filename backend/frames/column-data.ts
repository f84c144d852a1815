/** Creates Arrow columns from plain values, and selects rows of Arrow columns. */
import {
  Binary,
  Bool,
  type Data,
  type DataType,
  Float64,
  Int64,
  makeData,
  makeVector,
  TimestampNanosecond,
  Utf8,
} from 'apache-arrow';
import type { Column, FieldKind } from './frame';

type Fixed = BigInt64Array | Float64Array;

/** Empty column data of a kind. Grafana does not accept dictionaries, large text or times with a zone. */
export function emptyData(kind: FieldKind): Data {
  switch (kind) {
    case 'time':
      return timeData(new BigInt64Array(0));
    case 'integer':
      return fixedData(new Int64(), new BigInt64Array(0));
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
  return fixedData(new TimestampNanosecond(null), nanos, nullBitmap);
}

export function numberData(values: readonly (number | null)[]): Data {
  const data = new Float64Array(values.length);
  values.forEach((value, row) => (data[row] = value ?? 0));
  return fixedData(new Float64(), data, nullBitmap(values));
}

export function booleanData(values: readonly (boolean | null)[]): Data {
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

export function fixedData(type: DataType, data: Fixed, bitmap?: Uint8Array): Data {
  return makeData({ type, length: data.length, nullBitmap: bitmap, data } as Parameters<typeof makeData>[0]);
}

export type CellValue = string | number | bigint | boolean | null;

/**
 * Returns a getter for the values of a column: numbers for `number`, bigints for `time` and `integer`, text for
 * `string` and `json`.
 */
export function valueAt(column: Column): (row: number) => CellValue {
  const { data } = column;
  const isValid = (row: number): boolean => data.nullCount === 0 || data.getValid(row);
  if (column.kind === 'time' || column.kind === 'integer' || column.kind === 'number') {
    const values = data.values as Fixed;
    return (row) => (isValid(row) ? (values[row] ?? null) : null);
  }
  const vector = makeVector(data);
  if (column.kind !== 'json') return (row) => vector.get(row) as CellValue;
  return (row) => {
    const bytes = vector.get(row) as Uint8Array | null;
    return bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  };
}

/** Returns a getter for the UTF-8 bytes of a `string` or `json` column, without copying. */
export function bytesAt({ data }: Column): (row: number) => Uint8Array | null {
  const { values, valueOffsets } = data as Data<Utf8>;
  const isValid = (row: number): boolean => data.nullCount === 0 || data.getValid(row);
  return (row) => (isValid(row) ? values.subarray(valueOffsets[row], valueOffsets[row + 1]) : null);
}

/** Selects rows in the given order. */
export function takeRows<T extends Column>(column: T, rows: readonly number[] | Uint32Array): T {
  const get = valueAt(column);
  const values = Array.from(rows, (row) => get(row));
  return { ...column, data: dataOf(column.kind, values) };
}

/** @param values as returned by `valueAt` */
export function dataOf(kind: FieldKind, values: readonly unknown[]): Data {
  switch (kind) {
    case 'time':
      return timeData(bigints(values), nullBitmap(values));
    case 'integer':
      return fixedData(new Int64(), bigints(values), nullBitmap(values));
    case 'number':
      return numberData(values as readonly (number | null)[]);
    case 'boolean':
      return booleanData(values as readonly (boolean | null)[]);
    case 'string':
      return textData(values as readonly (string | null)[]);
    case 'json':
      return jsonData(values as readonly (string | null)[]);
  }
}

function bigints(values: readonly unknown[]): BigInt64Array {
  const data = new BigInt64Array(values.length);
  values.forEach((value, row) => {
    if (value !== null) data[row] = value as bigint;
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
