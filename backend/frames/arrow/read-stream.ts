/**
 * Reads the form of Arrow IPC stream that the service sends for nearly all results: one record batch, and columns
 * without fields of their own. Columns share the memory of the stream. The reader of `apache-arrow`, which reads all
 * forms, takes longer for the metadata than the service takes for a cached call.
 */
import {
  Bool,
  Data,
  type DataType,
  Float64,
  Int64,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  TimeUnit,
  Utf8,
} from 'apache-arrow';
import { CONTINUATION, DOUBLE, HEADER, NO_BYTES, PREFIX_BYTES, TYPE } from './format';
import { FlatReader } from './flat-reader';

export interface StreamColumn {
  readonly name: string;
  readonly data: Data;
}

export interface StreamColumns {
  readonly columns: readonly StreamColumn[];
  readonly length: number;
}

/** @returns undefined for another form of stream, and for bytes that are not a stream */
export function readStream(bytes: Uint8Array): StreamColumns | undefined {
  // Columns of eight bytes are views, which begin at multiples of eight.
  const memory = bytes.byteOffset % PREFIX_BYTES === 0 ? bytes : new Uint8Array(bytes);
  try {
    return readMessages(new FlatReader(memory));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readMessages(reader: FlatReader): StreamColumns | undefined {
  const first = readMessage(reader, 0);
  if (first?.headerType !== HEADER.schema || first.bodyBytes !== 0) return undefined;
  const fields = readFields(reader, first.header);
  const second = readMessage(reader, first.end);
  if (!fields || second?.headerType !== HEADER.recordBatch) return undefined;
  if (!isEnd(reader, second.end)) return undefined;
  return readBatch(reader, second, fields);
}

interface Message {
  readonly headerType: number;
  /** Position of its table. */
  readonly header: number;
  readonly body: number;
  readonly bodyBytes: number;
  readonly end: number;
}

function readMessage(reader: FlatReader, at: number): Message | undefined {
  if (reader.int32(at) !== CONTINUATION) return undefined;
  const metadataBytes = reader.int32(at + 4);
  if (metadataBytes <= 0) return undefined;
  const start = at + PREFIX_BYTES;
  const table = start + reader.int32(start);
  const [typeAt, headerAt, lengthAt] = [reader.field(table, 1), reader.field(table, 2), reader.field(table, 3)];
  if (typeAt === 0 || headerAt === 0) return undefined;
  const body = start + metadataBytes;
  const bodyBytes = lengthAt === 0 ? 0 : reader.int64(lengthAt);
  return {
    headerType: reader.uint8(typeAt),
    header: reader.target(headerAt),
    body,
    bodyBytes,
    end: body + bodyBytes,
  };
}

/** A stream ends with a message without metadata, or with its bytes. */
function isEnd(reader: FlatReader, at: number): boolean {
  return at === reader.length || (reader.int32(at) === CONTINUATION && reader.int32(at + 4) === 0);
}

interface Field {
  readonly name: string;
  readonly type: DataType;
}

function readFields(reader: FlatReader, schema: number): Field[] | undefined {
  const vectorAt = reader.field(schema, 1);
  if (vectorAt === 0) return undefined;
  const vector = reader.target(vectorAt);
  const fields: Field[] = [];
  for (let index = 0, count = reader.int32(vector); index < count; index++) {
    const field = reader.target(vector + 4 + 4 * index);
    const [nameAt, typeAt, tableAt] = [reader.field(field, 0), reader.field(field, 2), reader.field(field, 3)];
    const isDictionary = reader.field(field, 4) !== 0;
    if (isDictionary || typeAt === 0 || tableAt === 0) return undefined;
    const type = readType(reader, reader.uint8(typeAt), reader.target(tableAt));
    if (!type) return undefined;
    fields.push({ name: nameAt === 0 ? '' : reader.text(reader.target(nameAt)), type });
  }
  return fields;
}

const [INT, FLOAT, TEXT, BOOL] = [new Int64(), new Float64(), new Utf8(), new Bool()];

function readType(reader: FlatReader, number: number, table: number): DataType | undefined {
  const [first, second] = [reader.field(table, 0), reader.field(table, 1)];
  switch (number) {
    case TYPE.int: {
      const isSigned = second !== 0 && reader.uint8(second) !== 0;
      return isSigned && first !== 0 && reader.int32(first) === 64 ? INT : undefined;
    }
    case TYPE.float:
      return first !== 0 && reader.int16(first) === DOUBLE ? FLOAT : undefined;
    case TYPE.utf8:
      return TEXT;
    case TYPE.bool:
      return BOOL;
    case TYPE.timestamp: {
      const zone = second === 0 ? null : reader.text(reader.target(second));
      return timestampOf(first === 0 ? TimeUnit.SECOND : reader.int16(first), zone);
    }
    default:
      return undefined;
  }
}

function timestampOf(unit: TimeUnit, zone: string | null): DataType | undefined {
  switch (unit) {
    case TimeUnit.SECOND:
      return new TimestampSecond(zone);
    case TimeUnit.MILLISECOND:
      return new TimestampMillisecond(zone);
    case TimeUnit.MICROSECOND:
      return new TimestampMicrosecond(zone);
    case TimeUnit.NANOSECOND:
      return new TimestampNanosecond(zone);
    default:
      return undefined;
  }
}

const NODE_BYTES = 16;
const BUFFER_BYTES = 16;

function readBatch(
  reader: FlatReader,
  { header, body, bodyBytes }: Message,
  fields: readonly Field[]
): StreamColumns | undefined {
  const [lengthAt, nodesAt, buffersAt] = [reader.field(header, 0), reader.field(header, 1), reader.field(header, 2)];
  const isCompressed = reader.field(header, 3) !== 0;
  if (isCompressed || nodesAt === 0 || buffersAt === 0) return undefined;
  const length = lengthAt === 0 ? 0 : reader.int64(lengthAt);
  const nodes = reader.target(nodesAt);
  let buffer = reader.target(buffersAt) + 4;
  if (reader.int32(nodes) !== fields.length) return undefined;

  const next = (): Uint8Array => {
    const [offset, bytes] = [reader.int64(buffer), reader.int64(buffer + 8)];
    buffer += BUFFER_BYTES;
    if (offset % PREFIX_BYTES !== 0 || offset + bytes > bodyBytes) throw new RangeError('A buffer exceeds the body.');
    return reader.bytes(body + offset, bytes);
  };
  const columns = fields.map(({ name, type }, index) => {
    const node = nodes + 4 + NODE_BYTES * index;
    if (reader.int64(node) !== length) throw new RangeError('A column has another length.');
    return { name, data: readColumn(type, length, reader.int64(node + 8), next) };
  });
  return { columns, length };
}

/** Each buffer must have all its values: behind it is memory of others. */
function readColumn(type: DataType, length: number, nullCount: number, next: () => Uint8Array): Data {
  const bitBytes = (length + 7) >> 3;
  const bitmap = next();
  const validity = nullCount > 0 ? whole(bitmap, bitBytes) : NO_BYTES;
  const second = next();
  if (type === TEXT) {
    if (length === 0) return dataOf(type, 0, 0, [new Int32Array(1), next(), validity]);
    const { buffer, byteOffset } = whole(second, 4 * (length + 1));
    const offsets = new Int32Array(buffer, byteOffset, length + 1);
    return dataOf(type, length, nullCount, [offsets, whole(next(), offsets[length] as number), validity]);
  }
  if (type === BOOL) return dataOf(type, length, nullCount, [undefined, whole(second, bitBytes), validity]);
  const { buffer, byteOffset } = whole(second, 8 * length);
  const values =
    type === FLOAT ? new Float64Array(buffer, byteOffset, length) : new BigInt64Array(buffer, byteOffset, length);
  return dataOf(type, length, nullCount, [undefined, values, validity]);
}

function whole(buffer: Uint8Array, bytes: number): Uint8Array {
  if (buffer.length < bytes) throw new RangeError('A buffer has less values than rows.');
  return buffer;
}

type Buffers = readonly [
  offsets: Int32Array | undefined,
  values: Uint8Array | Float64Array | BigInt64Array,
  validity: Uint8Array,
];

/** `makeData` of `apache-arrow` does the same after it has looked for the type's own way, which takes longer. */
function dataOf(type: DataType, length: number, nullCount: number, buffers: Buffers): Data {
  return new Data(type, 0, length, nullCount, buffers);
}
