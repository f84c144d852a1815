/**
 * Writes an Arrow IPC file with at most one record batch and the column types of Grafana's frames. The writer of
 * `apache-arrow` does the same, but takes longer for the metadata than the service takes for a cached call. As its
 * files, these have the schema in the footer only, where readers of files look for it.
 */
import { type Data, DataType, type Utf8 } from 'apache-arrow';
import { layoutBytes } from './flat-layout';
import { FlatWriter } from './flat-writer';
import { aligned, CONTINUATION, HEADER, METADATA_V5, NO_BYTES, PREFIX_BYTES } from './format';
import {
  type ArrowField,
  fieldsBytes,
  type MetadataEntry,
  metadataBytes,
  writeFields,
  writeMetadata,
} from './write-schema';

/** A file up to its metadata, which is its last part. */
export interface FileHead {
  readonly bytes: Uint8Array;
  /** Where the footer begins. */
  readonly footerAt: number;
}

/**
 * @param length rows; every column has as many
 * @returns the file, and its head, which is written again with other metadata by `writeWithHead`
 */
export function writeFile(
  fields: readonly ArrowField[],
  length: number,
  metadata: readonly MetadataEntry[]
): { readonly bytes: Uint8Array; readonly head: FileHead } {
  const columns = fields.map(({ data }) => columnBuffers(data));
  const bodyBytes = columns.reduce((sum, { buffers }) => sum + bytesOf(buffers), 0);
  const headBytes = MAGIC.length + batchBytes(columns) + bodyBytes + FOOTER_BYTES + fieldsBytes(fields);
  const writer = new FlatWriter(headBytes + endBytes(metadata));
  writer.mark(MAGIC);
  const batchAt = writer.at;
  if (columns.length > 0) writeBatch(writer, columns, length, bodyBytes);
  const batch = { at: batchAt, metadataBytes: writer.at - batchAt, bodyBytes };
  for (const { buffers } of columns) for (const buffer of buffers) writer.buffer(buffer);
  writer.int32(CONTINUATION);
  writer.int32(0);

  const footerAt = writer.at;
  writeFooterTable(writer, columns.length > 0 ? [batch] : []);
  writeFields(writer, fields);
  const head = { bytes: writer.bytes.subarray(0, writer.at), footerAt };
  return { bytes: writeEnd(writer, footerAt, metadata), head };
}

export function writeWithHead({ bytes, footerAt }: FileHead, metadata: readonly MetadataEntry[]): Uint8Array {
  const writer = new FlatWriter(bytes.length + endBytes(metadata));
  writer.block(bytes);
  return writeEnd(writer, footerAt, metadata);
}

function writeEnd(writer: FlatWriter, footerAt: number, metadata: readonly MetadataEntry[]): Uint8Array {
  writeMetadata(writer, metadata);
  writer.int32(writer.at - footerAt);
  writer.mark(END_MAGIC);
  return writer.bytes.subarray(0, writer.at);
}

/** Upper bound of what follows a head: the metadata, the length of the footer and the magic, aligned. */
function endBytes(metadata: readonly MetadataEntry[]): number {
  return metadataBytes(metadata) + 4 + 8;
}

const END_MAGIC = 'ARROW1';
const MAGIC = `${END_MAGIC}\0\0`;

interface ColumnBuffers {
  readonly length: number;
  readonly nullCount: number;
  /** Validity, offsets of texts, values. */
  readonly buffers: readonly Uint8Array[];
}

/** @throws Error for a column that begins at an offset */
function columnBuffers(data: Data): ColumnBuffers {
  const { length, nullCount, type } = data;
  if (data.offset !== 0) throw new Error('A column of a frame begins at an offset.');
  const bitBytes = (length + 7) >> 3;
  const validity = nullCount > 0 ? data.nullBitmap.subarray(0, bitBytes) : NO_BYTES;
  if (DataType.isUtf8(type) || DataType.isBinary(type))
    return { length, nullCount, buffers: [validity, ...textBuffers(data)] };
  const values = data.values as Uint8Array | Float64Array | BigInt64Array;
  if (DataType.isBool(type))
    return { length, nullCount, buffers: [validity, (values as Uint8Array).subarray(0, bitBytes)] };
  return { length, nullCount, buffers: [validity, bytesOfView(values.subarray(0, length))] };
}

/** Offsets begin at zero, and values at the first text. */
function textBuffers(data: Data): Uint8Array[] {
  const { length, values, valueOffsets } = data as Data<Utf8>;
  if (length === 0) return [bytesOfView(new Int32Array(1)), NO_BYTES];
  const [first, last] = [valueOffsets[0] as number, valueOffsets[length] as number];
  const offsets = valueOffsets.subarray(0, length + 1);
  return [bytesOfView(first === 0 ? offsets : offsets.map((offset) => offset - first)), values.subarray(first, last)];
}

function bytesOfView({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function bytesOf(buffers: readonly Uint8Array[]): number {
  return buffers.reduce((sum, { length }) => sum + aligned(length), 0);
}

/** Positions in a message with a record batch: message at 16, batch at 56, then its nodes and buffers. */
const BATCH = { bodyLength: 24, nodes: 60, length: 64, buffers: 72, nodeCount: 76, head: 80 } as const;
const NODE_BYTES = 16;
const BUFFER_BYTES = 16;

const BATCH_HEAD = (() => {
  const bytes = Buffer.alloc(BATCH.head);
  bytes.writeInt32LE(16, 0);
  bytes.set(layoutBytes([12, 20, 16, 18, 4, 8]), 4);
  bytes.writeInt32LE(16 - 4, 16);
  bytes.writeInt32LE(56 - 20, 20);
  bytes.writeInt16LE(METADATA_V5, 32);
  bytes.writeUInt8(HEADER.recordBatch, 34);
  bytes.set(layoutBytes([10, 20, 8, 4, 16]), 40);
  bytes.writeInt32LE(56 - 40, 56);
  bytes.writeInt32LE(BATCH.nodeCount - BATCH.nodes, BATCH.nodes);
  return bytes;
})();

/** Upper bound of a message with a record batch, without its body. */
function batchBytes(columns: readonly ColumnBuffers[]): number {
  return PREFIX_BYTES + BATCH.head + NODE_BYTES * columns.length + 8 + BUFFER_BYTES * countOf(columns);
}

function countOf(columns: readonly ColumnBuffers[]): number {
  return columns.reduce((sum, { buffers }) => sum + buffers.length, 0);
}

function writeBatch(writer: FlatWriter, columns: readonly ColumnBuffers[], length: number, bodyBytes: number): void {
  writer.int32(CONTINUATION);
  const metadataLengthAt = writer.at;
  writer.int32(0);
  const start = writer.at;
  writer.block(BATCH_HEAD);
  writer.setInt64(start + BATCH.bodyLength, bodyBytes);
  writer.setInt64(start + BATCH.length, length);
  writer.setInt32(start + BATCH.nodeCount, columns.length);
  for (const column of columns) {
    writer.int64(column.length);
    writer.int64(column.nullCount);
  }
  // The structs of a vector are at a multiple of eight, its count is before them.
  writer.int32(0);
  writer.link(start + BATCH.buffers, writer.at);
  writer.int32(countOf(columns));
  let offset = 0;
  for (const { buffers } of columns) {
    for (const { length: bytes } of buffers) {
      writer.int64(offset);
      writer.int64(bytes);
      offset += aligned(bytes);
    }
  }
  writer.setInt32(metadataLengthAt, writer.at - start);
}

/** Positions in a footer: its table is at 16, then come the blocks, which are the record batches, and the schema. */
const FOOTER = { schema: 20, blockCount: 44, blocks: 48 } as const;
const BLOCK_BYTES = 24;
/** End of the messages, table, and one block. */
const FOOTER_BYTES = PREFIX_BYTES + FOOTER.blocks + BLOCK_BYTES;

const FOOTER_TABLE = (() => {
  const bytes = Buffer.alloc(FOOTER.blocks);
  bytes.writeInt32LE(16, 0);
  bytes.set(layoutBytes([12, 20, 16, 4, 8, 12]), 4);
  bytes.writeInt32LE(16 - 4, 16);
  // No dictionaries: a vector of none at 36.
  bytes.writeInt32LE(36 - 24, 24);
  bytes.writeInt32LE(FOOTER.blockCount - 28, 28);
  bytes.writeInt16LE(METADATA_V5, 32);
  return bytes;
})();

interface Block {
  readonly at: number;
  readonly metadataBytes: number;
  readonly bodyBytes: number;
}

function writeFooterTable(writer: FlatWriter, blocks: readonly Block[]): void {
  const start = writer.at;
  writer.block(FOOTER_TABLE);
  writer.setInt32(start + FOOTER.blockCount, blocks.length);
  for (const { at, metadataBytes, bodyBytes } of blocks) {
    writer.int64(at);
    writer.int32(metadataBytes);
    writer.int32(0);
    writer.int64(bodyBytes);
  }
  writer.link(start + FOOTER.schema, writer.at);
}
