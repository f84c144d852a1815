/**
 * Converts a column of store values to Arrow memory. The logical type determines Arrow type and buffers; all values are
 * nullable.
 */
import type { DataType } from 'apache-arrow';
import {
  Binary,
  Bool,
  type Data,
  DateDay,
  Field,
  Float64,
  Int64,
  List,
  makeData,
  Struct,
  TimeUnit,
  Timestamp,
  Utf8,
} from 'apache-arrow';
import type { OutputColumn, OutputType } from '#compiler';
import type { StoreValue } from '../../../stores/store';
import { recordJson } from './record-text';
import { isInfiniteTime } from './time-text';

/** Arrow's conventional name for the element of a list. */
const ELEMENT_NAME = 'item';

type Values = readonly StoreValue[];

/** RECORD_TEXT becomes wrapped JSON text, because its fields differ between events. */
export function arrowType(type: OutputType): DataType {
  switch (type.kind) {
    case 'STRING':
    case 'TIME':
    case 'INTERVAL':
    case 'JSON':
    case 'RECORD_TEXT':
      return new Utf8();
    case 'BYTES':
      return new Binary();
    case 'INT64':
      return new Int64();
    case 'FLOAT64':
      return new Float64();
    case 'BOOL':
      return new Bool();
    case 'TIMESTAMP':
      return new Timestamp(TimeUnit.MICROSECOND, 'UTC');
    case 'DATETIME':
      return new Timestamp(TimeUnit.MICROSECOND);
    case 'DATE':
      return new DateDay();
    case 'ARRAY':
      return new List(new Field(ELEMENT_NAME, arrowType(type.element), true));
    case 'STRUCT':
      return new Struct(arrowFields(type.fields));
  }
}

export function arrowFields(columns: readonly OutputColumn[]): Field[] {
  return columns.map(({ name, type }) => new Field(name, arrowType(type), true));
}

export function arrowData(type: OutputType, values: Values): Data {
  switch (type.kind) {
    case 'STRING':
    case 'TIME':
    case 'INTERVAL':
    case 'JSON':
      return textData(values);
    case 'BYTES':
      return bytesData(values);
    case 'RECORD_TEXT':
      return textData(values.map((value) => recordText(value as string | null, type.single)));
    case 'INT64':
      return fixedData(new Int64(), values, fill(new BigInt64Array(values.length), values));
    case 'FLOAT64':
      return fixedData(new Float64(), values, fill(new Float64Array(values.length), values));
    case 'BOOL':
      return fixedData(
        new Bool(),
        values,
        bits(values, (value) => value === true)
      );
    case 'TIMESTAMP':
    case 'DATETIME': {
      const times = values.map((value) => (value === null || isInfiniteTime(value as bigint) ? null : value));
      return fixedData(arrowType(type), times, fill(new BigInt64Array(times.length), times));
    }
    case 'DATE':
      return fixedData(new DateDay(), values, fill(new Int32Array(values.length), values));
    case 'ARRAY':
      return listData(type.element, values);
    case 'STRUCT':
      return structData(type.fields, values);
  }
}

function recordText(text: string | null, single: boolean): string | null {
  const json = recordJson(text, single);
  return json === 'null' ? null : json;
}

function textData(values: Values): Data {
  const offsets = new Int32Array(values.length + 1);
  let bytes = 0;
  values.forEach((value, index) => {
    if (value !== null) bytes += Buffer.byteLength(value as string);
    offsets[index + 1] = bytes;
  });
  const data = Buffer.allocUnsafeSlow(bytes);
  values.forEach((value, index) => {
    if (value !== null) data.write(value as string, offsets[index] as number, 'utf8');
  });
  return makeData({ type: new Utf8(), length: values.length, ...validity(values), valueOffsets: offsets, data });
}

/** @param values texts in base64 */
function bytesData(values: Values): Data {
  const parts = values.map((value) => Buffer.from((value as string | null) ?? '', 'base64'));
  const offsets = new Int32Array(values.length + 1);
  parts.forEach((part, index) => (offsets[index + 1] = (offsets[index] as number) + part.length));
  const data = Buffer.concat(parts);
  return makeData({ type: new Binary(), length: values.length, ...validity(values), valueOffsets: offsets, data });
}

function listData(element: OutputType, values: Values): Data {
  const offsets = new Int32Array(values.length + 1);
  const elements: StoreValue[] = [];
  values.forEach((value, index) => {
    for (const one of (value ?? []) as Values) elements.push(one);
    offsets[index + 1] = elements.length;
  });
  return makeData({
    type: new List(new Field(ELEMENT_NAME, arrowType(element), true)),
    length: values.length,
    ...validity(values),
    valueOffsets: offsets,
    child: arrowData(element, elements),
  });
}

function structData(fields: readonly OutputColumn[], values: Values): Data {
  const children = fields.map(({ type }, index) =>
    arrowData(
      type,
      values.map((value) => (value as Values | null)?.[index] ?? null)
    )
  );
  return makeData({ type: new Struct(arrowFields(fields)), length: values.length, ...validity(values), children });
}

type FixedBuffer = BigInt64Array | Float64Array | Int32Array | Uint8Array;

function fixedData(type: DataType, values: Values, data: FixedBuffer): Data {
  return makeData({ type, length: values.length, ...validity(values), data } as Parameters<typeof makeData>[0]);
}

/** Nulls are stored as zero. */
function fill<T extends BigInt64Array | Float64Array | Int32Array>(target: T, values: Values): T {
  values.forEach((value, index) => {
    if (value !== null) (target as { [index: number]: StoreValue })[index] = value;
  });
  return target;
}

function validity(values: Values): { nullCount: number; nullBitmap: Uint8Array | undefined } {
  const nullCount = values.reduce<number>((count, value) => (value === null ? count + 1 : count), 0);
  return { nullCount, nullBitmap: nullCount === 0 ? undefined : bits(values, (value) => value !== null) };
}

/** Packs bits in Arrow's order: the first value is the lowest bit of the first byte. */
function bits(values: Values, isSet: (value: StoreValue) => boolean): Uint8Array {
  const bytes = new Uint8Array((values.length + 7) >> 3);
  values.forEach((value, index) => {
    if (isSet(value)) (bytes[index >> 3] as number) |= 1 << (index & 7);
  });
  return bytes;
}
