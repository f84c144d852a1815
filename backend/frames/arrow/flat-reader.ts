/**
 * Reads flatbuffers, the encoding of Arrow's metadata. A table begins with the distance back to its layout, which has
 * the position of each field in the table. Reads outside of the bytes throw a RangeError.
 */
export class FlatReader {
  private readonly view: DataView;

  constructor(private readonly memory: Uint8Array) {
    this.view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength);
  }

  get length(): number {
    return this.memory.length;
  }

  uint8(at: number): number {
    return this.view.getUint8(at);
  }

  int16(at: number): number {
    return this.view.getInt16(at, true);
  }

  int32(at: number): number {
    return this.view.getInt32(at, true);
  }

  /** For lengths and positions. @throws RangeError for more than the bytes can have */
  int64(at: number): number {
    const value = Number(this.view.getBigInt64(at, true));
    if (value < 0 || value > this.length * 8) throw new RangeError('A length exceeds the bytes.');
    return value;
  }

  /** Position of a field of a table; 0: absent. */
  field(table: number, index: number): number {
    const layout = table - this.int32(table);
    const slot = 4 + 2 * index;
    if (slot >= this.view.getUint16(layout, true)) return 0;
    const offset = this.view.getUint16(layout + slot, true);
    return offset === 0 ? 0 : table + offset;
  }

  /** Position that a link names. */
  target(at: number): number {
    return at + this.view.getUint32(at, true);
  }

  /** @param at length, then UTF-8 */
  text(at: number): string {
    return Buffer.from(this.memory.buffer, this.memory.byteOffset).toString(
      'utf8',
      at + 4,
      at + 4 + this.textLength(at)
    );
  }

  /** Shares the memory. @throws RangeError */
  bytes(at: number, length: number): Uint8Array {
    if (at + length > this.length) throw new RangeError('A part begins or ends outside of the bytes.');
    return new Uint8Array(this.memory.buffer, this.memory.byteOffset + at, length);
  }

  private textLength(at: number): number {
    const length = this.view.getUint32(at, true);
    if (at + 4 + length > this.length) throw new RangeError('A text ends outside of the bytes.');
    return length;
  }
}
