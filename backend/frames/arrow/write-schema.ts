/**
 * Writes the schema of a frame, a flatbuffer, from front to back: each table begins with the distance to its layout,
 * then come its fields; texts, vectors and tables that it names follow it. Layouts, type tables and keys never
 * change: they are copied as one block, a tail, behind what names them. The metadata of the frame comes last, with a
 * tail of its own, because it differs between frames of equal rows.
 */
import { type Data, DataType, Precision, TimeUnit } from 'apache-arrow';
import { layoutBytes } from './flat-layout';
import type { FlatWriter } from './flat-writer';
import { aligned, DOUBLE, TYPE } from './format';

export interface ArrowField {
  readonly name: string;
  readonly data: Data;
  readonly metadata: readonly FieldEntry[];
}

export type FieldEntry = readonly [key: 'tstype' | 'labels' | 'config', value: string];
export type MetadataEntry = readonly [key: 'name' | 'refId' | 'meta', value: string];

const SCHEMA_BYTES = 12;
const FIELD_BYTES = 24;
const ENTRY_BYTES = 12;

/** Upper bound of the length of a schema without its metadata. */
export function fieldsBytes(fields: readonly ArrowField[]): number {
  let bytes = SCHEMA_BYTES + 4 + aligned(FIELD_TAIL.bytes.length) + 8;
  for (const field of fields) bytes += 4 + FIELD_BYTES + textBytes(field.name) + entriesBytes(field.metadata);
  return bytes;
}

/** Upper bound of the length of the metadata. */
export function metadataBytes(metadata: readonly MetadataEntry[]): number {
  return entriesBytes(metadata) + aligned(METADATA_TAIL.bytes.length) + 8;
}

function entriesBytes(entries: readonly (FieldEntry | MetadataEntry)[]): number {
  return entries.reduce((sum, [, value]) => sum + 4 + ENTRY_BYTES + textBytes(value), 4);
}

function textBytes(text: string): number {
  return Buffer.byteLength(text) + 8;
}

/** Parts of a tail, as they are put together. */
class TailParts {
  private readonly parts: Buffer[] = [];
  private length = 0;

  /** @returns the position of the part */
  add(bytes: Buffer): number {
    const at = this.length;
    const padded = Buffer.alloc((bytes.length + 3) & -4);
    padded.set(bytes);
    this.parts.push(padded);
    this.length += padded.length;
    return at;
  }

  text(value: string): number {
    const bytes = Buffer.alloc(4 + value.length + 1);
    bytes.writeInt32LE(value.length, 0);
    bytes.write(value, 4);
    return this.add(bytes);
  }

  typeTable(layout: number, values: Buffer): number {
    const bytes = Buffer.alloc(4 + values.length);
    bytes.writeInt32LE(this.length - layout, 0);
    bytes.set(values, 4);
    return this.add(bytes);
  }

  entryLayout(): number {
    return this.add(layoutBytes([8, ENTRY_BYTES, 4, 8]));
  }

  get bytes(): Buffer {
    return Buffer.concat(this.parts);
  }
}

/** The tail of the fields, with the position of each part in it. */
const FIELD_TAIL = (() => {
  const tail = new TailParts();
  const schema = tail.add(layoutBytes([10, SCHEMA_BYTES, 0, 4, 8]));
  const field = tail.add(layoutBytes([18, FIELD_BYTES, 4, 20, 21, 8, 0, 12, 16]));
  const entry = tail.entryLayout();
  const intLayout = tail.add(layoutBytes([8, 12, 4, 8]));
  const shortLayout = tail.add(layoutBytes([6, 8, 4]));
  const emptyLayout = tail.add(layoutBytes([4, 4]));
  const types = {
    signed: tail.typeTable(intLayout, Buffer.from([64, 0, 0, 0, 1])),
    unsigned: tail.typeTable(intLayout, Buffer.from([64, 0, 0, 0, 0])),
    double: tail.typeTable(shortLayout, Buffer.from([DOUBLE, 0])),
    nanoseconds: tail.typeTable(shortLayout, Buffer.from([TimeUnit.NANOSECOND, 0])),
    plain: tail.typeTable(emptyLayout, Buffer.alloc(0)),
  };
  const noChildren = tail.add(Buffer.alloc(4));
  const keys = { tstype: tail.text('tstype'), labels: tail.text('labels'), config: tail.text('config') };
  return { bytes: tail.bytes, schema, field, entry, types, noChildren, keys };
})();

/** The tail of the metadata. */
const METADATA_TAIL = (() => {
  const tail = new TailParts();
  const entry = tail.entryLayout();
  const keys = { name: tail.text('name'), refId: tail.text('refId'), meta: tail.text('meta') };
  return { bytes: tail.bytes, entry, keys };
})();

/** Number of a type in Arrow's union, and its table in the tail. */
function typeOf(type: DataType): readonly [number: number, table: number] {
  const { types } = FIELD_TAIL;
  if (DataType.isTimestamp(type) && type.unit === TimeUnit.NANOSECOND && !type.timezone)
    return [TYPE.timestamp, types.nanoseconds];
  if (DataType.isInt(type) && type.bitWidth === 64) return [TYPE.int, type.isSigned ? types.signed : types.unsigned];
  if (DataType.isFloat(type) && type.precision === Precision.DOUBLE) return [TYPE.float, types.double];
  if (DataType.isUtf8(type)) return [TYPE.utf8, types.plain];
  if (DataType.isBinary(type)) return [TYPE.binary, types.plain];
  if (DataType.isBool(type)) return [TYPE.bool, types.plain];
  throw new Error(`A frame cannot have columns of Arrow's type ${type.typeId}.`);
}

/** Writes the schema without its metadata, which the schema expects right behind. */
export function writeFields(writer: FlatWriter, fields: readonly ArrowField[]): void {
  const links = new TailLinks(writer);
  const at = writer.at;
  links.layout(at, FIELD_TAIL.schema);
  writer.at += SCHEMA_BYTES;
  writer.link(at + 4, writer.at);
  const vector = writer.at;
  writer.int32(fields.length);
  writer.at += 4 * fields.length;
  fields.forEach((field, index) => {
    writer.link(vector + 4 + 4 * index, writer.at);
    writeField(writer, field, links);
  });
  links.write(FIELD_TAIL.bytes);
  writer.link(at + 8, writer.at);
}

/** Writes the metadata of a schema. */
export function writeMetadata(writer: FlatWriter, metadata: readonly MetadataEntry[]): void {
  const links = new TailLinks(writer);
  const { entry, keys, bytes } = METADATA_TAIL;
  writeEntries(writer, metadata, links, entry, ([key]) => keys[key]);
  links.write(bytes);
}

function writeField(writer: FlatWriter, { name, data, metadata }: ArrowField, links: TailLinks): void {
  const at = writer.at;
  const { field, entry, noChildren, keys } = FIELD_TAIL;
  const [typeNumber, typeTable] = typeOf(data.type);
  links.layout(at, field);
  links.link(at + 8, typeTable);
  links.link(at + 12, noChildren);
  writer.bytes[at + 20] = data.nullCount > 0 ? 1 : 0;
  writer.bytes[at + 21] = typeNumber;
  writer.at += FIELD_BYTES;
  writer.link(at + 4, writer.at);
  writer.text(name);
  writer.link(at + 16, writer.at);
  writeEntries(writer, metadata, links, entry, ([key]) => keys[key]);
}

/** @param keyOf position of the key in the tail */
function writeEntries<T extends readonly [key: string, value: string]>(
  writer: FlatWriter,
  entries: readonly T[],
  links: TailLinks,
  layout: number,
  keyOf: (entry: T) => number
): void {
  const vector = writer.at;
  writer.int32(entries.length);
  writer.at += 4 * entries.length;
  entries.forEach((entry, index) => {
    const at = writer.at;
    writer.link(vector + 4 + 4 * index, at);
    links.layout(at, layout);
    links.link(at + 4, keyOf(entry));
    writer.at += ENTRY_BYTES;
    writer.link(at + 8, writer.at);
    writer.text(entry[1]);
  });
}

/** Places that name a part of a tail; they are filled in when it is written. */
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

  write(tail: Uint8Array): void {
    const { writer, places } = this;
    writer.align();
    const tailAt = writer.at;
    writer.block(tail);
    for (let index = 0; index < places.length; index += 3) {
      const at = places[index] as number;
      writer.setInt32(at, (tailAt + (places[index + 1] as number) - at) * (places[index + 2] as number));
    }
    writer.align();
  }
}
