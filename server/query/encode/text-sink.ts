/** UTF-8 text, written once into one growing buffer. */

const FIRST_BYTES = 64 * 1024;

export class TextSink {
  private buffer = Buffer.allocUnsafe(FIRST_BYTES);
  private used = 0;

  get bytes(): number {
    return this.used;
  }

  write(text: string): void {
    // A UTF-16 unit needs at most three bytes; the exact count is worth its time only near the end of the buffer.
    if (this.buffer.length - this.used < text.length * 3) this.ensureRoom(Buffer.byteLength(text));
    this.used += this.buffer.write(text, this.used, 'utf8');
  }

  /** Takes back what was written after the first `bytes` bytes. */
  cutTo(bytes: number): void {
    this.used = bytes;
  }

  /** The sink must not be written to after this. */
  toBytes(): Uint8Array {
    return this.buffer.subarray(0, this.used);
  }

  private ensureRoom(bytes: number): void {
    if (this.buffer.length - this.used >= bytes) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.used + bytes));
    this.buffer.copy(larger, 0, 0, this.used);
    this.buffer = larger;
  }
}

/**
 * Writes row texts until one would pass `maxBytes`; that one is taken back.
 * @returns how many were written.
 */
export function writeRows(
  sink: TextSink,
  rowCount: number,
  rowText: (row: number) => string,
  maxBytes: number
): number {
  for (let row = 0; row < rowCount; row += 1) {
    const before = sink.bytes;
    sink.write(rowText(row));
    if (sink.bytes > maxBytes) {
      sink.cutTo(before);
      return row;
    }
  }
  return rowCount;
}
