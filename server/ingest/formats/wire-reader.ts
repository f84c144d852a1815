/**
 * Fields of one protobuf message in sequence, over the reader of protobufjs, which bounds every length by the available
 * bytes. A field with an unexpected wire type counts as unknown, as in every parser; groups, which no format here has,
 * are refused.
 */
import { isUtf8 } from 'node:buffer';
import { Reader } from 'protobufjs/minimal';
import { RecordRefusal } from './record-refusal';

export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
export const FIXED32 = 5;
type WireType = typeof VARINT | typeof FIXED64 | typeof BYTES | typeof FIXED32;

/** Tag that precedes a field. */
export function tagOf(field: number, wireType: WireType): number {
  return (field << 3) | wireType;
}

/** The bytes are no valid message. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

export class WireReader {
  /** Tag of the field that `next` has found; its value must be read or skipped before the next one. */
  tag = 0;
  private readonly buffer: Buffer;
  private readonly reader: Reader;

  constructor(buffer: Buffer) {
    this.buffer = buffer;
    this.reader = Reader.create(buffer);
  }

  next(): boolean {
    if (this.reader.pos >= this.reader.len) return false;
    this.tag = this.read(() => this.reader.uint32());
    if (this.tag >>> 3 === 0) throw new WireError('a field has the number 0');
    return true;
  }

  skip(): void {
    switch (this.tag & 7) {
      case VARINT:
        return void this.read(() => this.reader.skip());
      case FIXED64:
        return void this.read(() => this.reader.skip(8));
      case BYTES:
        return void this.read(() => this.reader.skip(this.reader.uint32()));
      case FIXED32:
        return void this.read(() => this.reader.skip(4));
      default:
        throw new WireError(`the wire type ${this.tag & 7} is not in use`);
    }
  }

  bytes(): Buffer {
    const length = this.read(() => this.reader.uint32());
    this.read(() => this.reader.skip(length));
    return this.buffer.subarray(this.reader.pos - length, this.reader.pos);
  }

  /** @throws RecordRefusal */
  text(): string {
    const bytes = this.bytes();
    if (!isUtf8(bytes)) throw new RecordRefusal('bad_utf8', 'a text is not valid UTF-8');
    return bytes.toString('utf8');
  }

  /** Decimal text in the range of INT64. */
  int64(): string {
    // The type of a long number does not name its `toString`.
    const value: { toString(): string } = this.read(() => this.reader.int64());
    return value.toString();
  }

  int32(): number {
    return this.read(() => this.reader.int32());
  }

  uint32(): number {
    return this.read(() => this.reader.uint32());
  }

  fixed32(): number {
    return this.read(() => this.reader.fixed32());
  }

  fixed64(): bigint {
    this.read(() => this.reader.skip(8));
    return this.buffer.readBigUInt64LE(this.reader.pos - 8);
  }

  double(): number {
    return this.read(() => this.reader.double());
  }

  private read<T>(value: () => T): T {
    try {
      return value();
    } catch (error) {
      throw new WireError('the bytes end within a field, or a number does not end', { cause: error });
    }
  }
}
