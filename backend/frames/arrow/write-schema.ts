/**
 * Writes the schema of a frame, a flatbuffer, from front to back: each table begins with the distance to its layout, then
 * come its fields; texts, vectors and tables that it names follow it. Layouts, type tables and keys never change: they
 * are copied as one block, the tail, to the end of the schema.
 */
import { type Data, DataType, Precision, TimeUnit } from 'apache-arrow';
import { layoutBytes } from './flat-layout';
import type { FlatWriter } from './flat-writer';
import { aligned, DOUBLE, TYPE } from './format';

export interface ArrowField {
  readonly name: string;
  readonly data: Data;
  readonly metadata: readonly MetadataEntry[];
}

export type MetadataEntry = readonly [key: MetadataKey, value: string];
export type MetadataKey = (typeof KEYS)[number];

const KEYS = ['name', 'refId', 'meta', 'tstype', 'labels', 'config'] as const;

const SCHEMA_BYTES = 12;
const FIELD_BYTES = 24;
const ENTRY_BYTES = 12;

/** Upper bound of the length of a schema. */
export function schemaBytes(fields: readonly ArrowField[], metadata: readonly MetadataEntry[]): number {
  let bytes = SCHEMA_BYTES + 4 + entriesBytes(metadata) + aligned(TAIL.bytes.length) + 8;
  for (const field of fields) bytes += 4 + FIELD_BYTES + textBytes(field.name) + entriesBytes(field.metadata);
  return bytes;
}

function entriesBytes(entries: readonly MetadataEntry[]): number {
  return entries.reduce((sum, [, value]) => sum + 4 + ENTRY_BYTES + textBytes(value), 4);
}

function textBytes(text: string): number {
  return Buffer.byteLength(text) + 8;
}

/** The tail, with the position of each part in it. */
const TAIL = (() => {
  const parts: Buffer[] = [];
  let length = 0;
  const add = (bytes: Buffer): number => {
    const at = length;
    const padded = Buffer.alloc((bytes.length + 3) & -4);
    padded.set(bytes);
    parts.push(padded);
    length += padded.length;
    return at;
  };
  const text = (value: string): number => {
    const bytes = Buffer.alloc(4 + value.length + 1);
    bytes.writeInt32LE(value.length, 0);
    bytes.write(value, 4);
    return add(bytes);
  };
  const schema = add(layoutBytes([10, SCHEMA_BYTES, 0, 4, 8]));
  const field = add(layoutBytes([18, FIELD_BYTES, 4, 20, 21, 8, 0, 12, 16]));
  const entry = add(layoutBytes([8, ENTRY_BYTES, 4, 8]));
  const intLayout = add(layoutBytes([8, 12, 4, 8]));
  const shortLayout = add(layoutBytes([6, 8, 4]));
  const emptyLayout = add(layoutBytes([4, 4]));
  const typeTable = (layout: number, values: Buffer): number => {
    const bytes = Buffer.alloc(4 + values.length);
    bytes.writeInt32LE(length - layout, 0);
    bytes.set(values, 4);
    return add(bytes);
  };
  const types = {
    signed: typeTable(intLayout, Buffer.from([64, 0, 0, 0, 1])),
    unsigned: typeTable(intLayout, Buffer.from([64, 0, 0, 0, 0])),
    double: typeTable(shortLayout, Buffer.from([DOUBLE, 0])),
    nanoseconds: typeTable(shortLayout, Buffer.from([TimeUnit.NANOSECOND, 0])),
    plain: typeTable(emptyLayout, Buffer.alloc(0)),
  };
  const noChildren = add(Buffer.alloc(4));
  const keys = Object.fromEntries(KEYS.map((key) => [key, text(key)])) as Record<MetadataKey, number>;
  return { bytes: Buffer.concat(parts), schema, field, entry, types, noChildren, keys };
})();

/** Number of a type in Arrow's union, and its table in the tail. */
function typeOf(type: DataType): readonly [number: number, table: number] {
  const { types } = TAIL;
  if (DataType.isTimestamp(type) && type.unit === TimeUnit.NANOSECOND && !type.timezone)
    return [TYPE.timestamp, types.nanoseconds];
  if (DataType.isInt(type) && type.bitWidth === 64) return [TYPE.int, type.isSigned ? types.signed : types.unsigned];
  if (DataType.isFloat(type) && type.precision === Precision.DOUBLE) return [TYPE.float, types.double];
  if (DataType.isUtf8(type)) return [TYPE.utf8, types.plain];
  if (DataType.isBinary(type)) return [TYPE.binary, types.plain];
  if (DataType.isBool(type)) return [TYPE.bool, types.plain];
  throw new Error(`A frame cannot have columns of Arrow's type ${type.typeId}.`);
}

export function writeSchema(
  writer: FlatWriter,
  fields: readonly ArrowField[],
  metadata: readonly MetadataEntry[]
): void {
  const tail = new TailLinks(writer);
  const at = writer.at;
  tail.layout(at, TAIL.schema);
  writer.at += SCHEMA_BYTES;
  writer.link(at + 4, writer.at);
  const vector = writer.at;
  writer.int32(fields.length);
  writer.at += 4 * fields.length;
  fields.forEach((field, index) => {
    writer.link(vector + 4 + 4 * index, writer.at);
    writeField(writer, field, tail);
  });
  writer.link(at + 8, writer.at);
  writeEntries(writer, metadata, tail);
  tail.write();
}

function writeField(writer: FlatWriter, { name, data, metadata }: ArrowField, tail: TailLinks): void {
  const at = writer.at;
  const [typeNumber, typeTable] = typeOf(data.type);
  tail.layout(at, TAIL.field);
  tail.link(at + 8, typeTable);
  tail.link(at + 12, TAIL.noChildren);
  writer.bytes[at + 20] = data.nullCount > 0 ? 1 : 0;
  writer.bytes[at + 21] = typeNumber;
  writer.at += FIELD_BYTES;
  writer.link(at + 4, writer.at);
  writer.text(name);
  writer.link(at + 16, writer.at);
  writeEntries(writer, metadata, tail);
}

function writeEntries(writer: FlatWriter, entries: readonly MetadataEntry[], tail: TailLinks): void {
  const vector = writer.at;
  writer.int32(entries.length);
  writer.at += 4 * entries.length;
  entries.forEach(([key, value], index) => {
    const at = writer.at;
    writer.link(vector + 4 + 4 * index, at);
    tail.layout(at, TAIL.entry);
    tail.link(at + 4, TAIL.keys[key]);
    writer.at += ENTRY_BYTES;
    writer.link(at + 8, writer.at);
    writer.text(value);
  });
}

/** Places that name a part of the tail; they are filled in when it is written. */
class TailLinks {
  private readonly places: number[] = [];

  constructor(private readonly writer: FlatWriter) {}

  /** The distance from a table to its layout has the opposite sign of all other distances. */
  layout(at: number, part: number): void {
    this.places.push(at, part, -1);
  }

  link(at: number, part: number): void {
    this.places.push(at, part, 1);
  }

  write(): void {
    const { writer, places } = this;
    writer.align();
    const tailAt = writer.at;
    writer.block(TAIL.bytes);
    for (let index = 0; index < places.length; index += 3) {
      const at = places[index] as number;
      writer.setInt32(at, (tailAt + (places[index + 1] as number) - at) * (places[index + 2] as number));
    }
    writer.align();
  }
}
