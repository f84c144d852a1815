/**
 * Reads the service's response, an Arrow IPC stream, as columns of Grafana's kinds. Numbers and text share its memory.
 */
import {
  Binary,
  type Data,
  DataType,
  makeData,
  makeVector,
  StructRow,
  tableFromIPC,
  TimeUnit,
  type Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import { PluginError } from '../service-client/failures/plugin-error';
import { readStream, type StreamColumns } from './arrow/read-stream';
import { dataOf, timeData } from './column-data';
import type { Column } from './frame';

export interface ResultColumns {
  readonly columns: readonly Column[];
  readonly length: number;
  /** Whether the response had more rows than requested. */
  readonly isCut: boolean;
}

export function readResult(bytes: Uint8Array, maxRows: number): ResultColumns {
  const read = readStream(bytes) ?? readTable(bytes);
  const length = Math.min(read.length, maxRows);
  const columns = read.columns.map(({ name, data }) =>
    readColumn(name, data.length > length ? data.slice(0, length) : data)
  );
  return { columns, length, isCut: read.length > maxRows };
}

function readTable(bytes: Uint8Array): StreamColumns {
  try {
    const table = tableFromIPC(bytes);
    const columns = table.schema.fields.map(({ name }, index) => ({
      name,
      data: wholeColumn(table.getChildAt<DataType>(index)!),
    }));
    return { columns, length: table.numRows };
  } catch (error) {
    throw new PluginError('result_unreadable', 'The answer of the service cannot be read.', {
      status: 502,
      cause: error,
    });
  }
}

function wholeColumn(vector: Vector<DataType>): Data {
  const first = vector.data[0];
  if (first && vector.data.length === 1 && first.offset === 0) return first;
  return vectorFromArray([...vector], vector.type).data[0] as Data;
}

/** Column that contains records as JSON text, because their fields differ between events. */
export const RECORD_COLUMN = 'metadata';

function readColumn(name: string, data: Data): Column {
  const { type } = data;
  const times = nanoseconds(data);
  if (times !== null) {
    return { name, kind: 'time', ...times, ...(DataType.isDate(type) ? { isDays: true } : {}) };
  }
  if (DataType.isInt(type)) return { name, kind: 'integer', data: type.bitWidth === 64 ? data : wideIntegers(data) };
  if (DataType.isFloat(type)) return { name, kind: 'number', data: dataOfFloats(data) };
  if (DataType.isBool(type)) return { name, kind: 'boolean', data };
  if (DataType.isUtf8(type)) return name === RECORD_COLUMN ? jsonOfText(name, data) : { name, kind: 'string', data };
  if (DataType.isBinary(type))
    return { name, kind: 'string', data: dataOf('string', Array.from(makeVector(data), base64)) };
  return {
    name,
    kind: 'json',
    data: dataOf(
      'json',
      Array.from(makeVector(data), (value) => jsonText(value, type))
    ),
  };
}

/** Bytes as the service's JSON has them. */
function base64(value: unknown): string | null {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : null;
}

function wideIntegers(data: Data): Data {
  return dataOf(
    'integer',
    Array.from(makeVector(data), (value) => (typeof value === 'number' ? BigInt(value) : null))
  );
}

function dataOfFloats(data: Data): Data {
  return data.values instanceof Float64Array ? data : dataOf('number', [...makeVector(data)]);
}

const NANOS_PER_UNIT: Readonly<Record<TimeUnit, bigint>> = {
  [TimeUnit.SECOND]: 1_000_000_000n,
  [TimeUnit.MILLISECOND]: 1_000_000n,
  [TimeUnit.MICROSECOND]: 1_000n,
  [TimeUnit.NANOSECOND]: 1n,
};
const NANOS_PER_DAY = 86_400_000_000_000n;
const MAX_NANOS = 2n ** 63n - 1n;

type Times = Pick<Column, 'data' | 'outside'>;

/** @returns null for a column of other values than times and days */
function nanoseconds(data: Data): Times | null {
  const { type } = data;
  const values: unknown = data.values;
  if (DataType.isTimestamp(type) && values instanceof BigInt64Array)
    return scaled(data, values, NANOS_PER_UNIT[type.unit]);
  if (DataType.isDate(type) && values instanceof Int32Array)
    return scaled(data, BigInt64Array.from(values, BigInt), NANOS_PER_DAY);
  return null;
}

/** Converts to nanoseconds. Times before 1677 and after 2262 do not fit: they are null, and texts beside. */
function scaled(data: Data, values: BigInt64Array, factor: bigint): Times {
  const limit = MAX_NANOS / factor;
  const nanos = new BigInt64Array(data.length);
  const outside = new Map<number, string>();
  let hasOutside = false;
  for (let row = 0; row < data.length; row++) {
    const value = values[row] as bigint;
    if (value <= limit && value >= -limit) nanos[row] = value * factor;
    else {
      hasOutside = true;
      const text = data.getValid(row) ? outsideText(value, factor, data.type) : undefined;
      if (text !== undefined) outside.set(row, text);
    }
  }
  if (!hasOutside) return { data: timeData(nanos, data.nullCount > 0 ? data.nullBitmap : undefined) };
  const isInside = (row: number): boolean => Math.abs(Number(values[row])) <= Number(limit) && data.getValid(row);
  const times = dataOf(
    'time',
    Array.from(nanos, (value, row) => (isInside(row) ? value : null))
  );
  return { data: times, ...(outside.size > 0 ? { outside } : {}) };
}

/** Farthest time of a `Date`, in milliseconds. */
const MAX_DATE_MS = 8_640_000_000_000_000n;

/** @returns undefined for a time without a date, such as infinity */
function outsideText(value: bigint, factor: bigint, type: DataType): string | undefined {
  const micros = (value * factor) / 1_000n;
  const rest = ((micros % 1_000n) + 1_000n) % 1_000n;
  const ms = (micros - rest) / 1_000n;
  if (ms > MAX_DATE_MS || ms < -MAX_DATE_MS) return undefined;
  const text = new Date(Number(ms)).toISOString();
  if (DataType.isDate(type)) return text.slice(0, text.indexOf('T'));
  return rest === 0n ? text : text.replace('Z', `${String(rest).padStart(3, '0')}Z`);
}

/** JSON is text, so the bytes are shared. */
function jsonOfText(name: string, data: Data): Column {
  const { length, nullCount, nullBitmap, valueOffsets, values, offset } = data as Data<Utf8>;
  const json = makeData({
    type: new Binary(),
    offset,
    length,
    nullCount,
    nullBitmap: nullCount > 0 ? nullBitmap : undefined,
    valueOffsets,
    data: values,
  });
  return { name, kind: 'json', data: json };
}

function jsonText(value: unknown, type: DataType): string | null {
  if (value === null || value === undefined) return null;
  return JSON.stringify(withTimeTexts(value, type), (_key, inner: unknown) => textOrNumber(inner));
}

/** Nested times as ISO 8601: their numbers do not say their unit. */
function withTimeTexts(value: unknown, type: DataType): unknown {
  if (value instanceof Vector) return Array.from(value, (inner) => withTimeTexts(inner, value.type as DataType));
  if (value instanceof StructRow)
    return Object.fromEntries(
      Array.from(value, ([name, inner], at) => [name, withTimeTexts(inner, type.children[at]!.type as DataType)])
    );
  if (typeof value !== 'number') return value;
  if (DataType.isDate(type)) return isoText(value).slice(0, DATE_LENGTH);
  if (!DataType.isTimestamp(type)) return value;
  return type.timezone ? isoText(value) : isoText(value).replace('Z', '');
}

const DATE_LENGTH = '2026-03-01'.length;

/** @param ms milliseconds since 1970, of which a fraction is microseconds */
function isoText(ms: number): string {
  const micros = Math.round(ms * 1000);
  const rest = ((micros % 1000) + 1000) % 1000;
  const text = new Date((micros - rest) / 1000).toISOString();
  return rest === 0 ? text : text.replace('Z', `${String(rest).padStart(3, '0')}Z`);
}

function textOrNumber(inner: unknown): unknown {
  if (typeof inner === 'bigint') return numberOrText(inner);
  return inner instanceof Uint8Array ? base64(inner) : inner;
}

function numberOrText(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
