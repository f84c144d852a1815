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
import { type StoreValue, valuesOfKind } from '../../../../stores/store-value';
import { recordJson } from '../json/record-text';
import { isInfiniteTime } from '../time-text';

/** Arrow's conventional name for the element of a list. */
const ELEMENT_NAME = 'item';

type Values = readonly StoreValue[];
type Nullable<T> = readonly (T | null)[];

/** RECORD_TEXT becomes wrapped JSON text, because its fields differ between events. */
function arrowType(type: OutputType): DataType {
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
      return textData(valuesOfKind(type.kind, values));
    case 'BYTES':
      return bytesData(valuesOfKind(type.kind, values));
    case 'RECORD_TEXT':
      return textData(valuesOfKind(type.kind, values).map((text) => recordText(text, type.single)));
    case 'INT64':
      return makeData({ type: new Int64(), ...validity(values), data: integers(valuesOfKind(type.kind, values)) });
    case 'FLOAT64': {
      const data = fill(new Float64Array(values.length), valuesOfKind(type.kind, values));
      return makeData({ type: new Float64(), ...validity(values), data });
    }
    case 'BOOL':
      return makeData({ type: new Bool(), ...validity(values), data: bits(values, (value) => value === true) });
    case 'TIMESTAMP':
      return timeData(new Timestamp(TimeUnit.MICROSECOND, 'UTC'), valuesOfKind(type.kind, values));
    case 'DATETIME':
      return timeData(new Timestamp(TimeUnit.MICROSECOND), valuesOfKind(type.kind, values));
    case 'DATE': {
      const data = fill(new Int32Array(values.length), valuesOfKind(type.kind, values));
      return makeData({ type: new DateDay(), ...validity(values), data });
    }
    case 'ARRAY':
      return listData(type.element, valuesOfKind(type.kind, values));
    case 'STRUCT':
      return structData(type.fields, valuesOfKind(type.kind, values));
  }
}

function recordText(text: string | null, single: boolean): string | null {
  const json = recordJson(text, single);
  return json === 'null' ? null : json;
}

function timeData(type: Timestamp, values: Nullable<bigint>): Data {
  const times = values.map((value) => (value === null || isInfiniteTime(value) ? null : value));
  return makeData({ type, ...validity(times), data: integers(times) });
}

function textData(values: Nullable<string>): Data {
  const offsets = new Int32Array(values.length + 1);
  let bytes = 0;
  values.forEach((value, index) => {
    if (value !== null) bytes += Buffer.byteLength(value);
    offsets[index + 1] = bytes;
  });
  const data = Buffer.allocUnsafeSlow(bytes);
  values.forEach((value, index) => {
    if (value !== null) data.write(value, offsets[index]!, 'utf8');
  });
  return makeData({ type: new Utf8(), ...validity(values), valueOffsets: offsets, data });
}

/** @param values texts in base64 */
function bytesData(values: Nullable<string>): Data {
  const parts = values.map((value) => Buffer.from(value ?? '', 'base64'));
  const offsets = new Int32Array(values.length + 1);
  parts.forEach((part, index) => (offsets[index + 1] = offsets[index]! + part.length));
  const data = Buffer.concat(parts);
  return makeData({ type: new Binary(), ...validity(values), valueOffsets: offsets, data });
}

function listData(element: OutputType, values: Nullable<Values>): Data {
  const offsets = new Int32Array(values.length + 1);
  const elements: StoreValue[] = [];
  values.forEach((value, index) => {
    for (const one of value ?? []) elements.push(one);
    offsets[index + 1] = elements.length;
  });
  return makeData({
    type: new List(new Field(ELEMENT_NAME, arrowType(element), true)),
    ...validity(values),
    valueOffsets: offsets,
    child: arrowData(element, elements),
  });
}

function structData(fields: readonly OutputColumn[], values: Nullable<Values>): Data {
  const children = fields.map(({ type }, index) =>
    arrowData(
      type,
      values.map((value) => value?.[index] ?? null)
    )
  );
  return makeData({ type: new Struct(arrowFields(fields)), ...validity(values), children });
}

/** Nulls are stored as zero. */
function integers(values: Nullable<bigint>): BigInt64Array {
  const target = new BigInt64Array(values.length);
  values.forEach((value, index) => {
    if (value !== null) target[index] = value;
  });
  return target;
}

function fill<T extends Float64Array | Int32Array>(target: T, values: Nullable<number>): T {
  values.forEach((value, index) => {
    if (value !== null) target[index] = value;
  });
  return target;
}

function validity(values: Values): { length: number; nullCount: number; nullBitmap: Uint8Array | undefined } {
  const nullCount = values.reduce<number>((count, value) => (value === null ? count + 1 : count), 0);
  return {
    length: values.length,
    nullCount,
    nullBitmap: nullCount === 0 ? undefined : bits(values, (value) => value !== null),
  };
}

/** Packs bits in Arrow's order: the first value is the lowest bit of the first byte. */
function bits(values: Values, isSet: (value: StoreValue) => boolean): Uint8Array {
  const bytes = new Uint8Array((values.length + 7) >> 3);
  values.forEach((value, index) => {
    if (isSet(value)) bytes[index >> 3]! |= 1 << (index & 7);
  });
  return bytes;
}
