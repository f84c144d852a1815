/** Buffer for UTF-8 text that grows as needed. */

const FIRST_BYTES = 64 * 1024;
/** A buffer up to this size is used again: the system takes longer to provide a new one than it takes to fill it. */
const KEPT_BYTES = 1024 * 1024;

/** Null while a sink uses it. */
let idle: Buffer | null = null;

export class TextSink {
  private buffer: Buffer;
  private used = 0;

  constructor() {
    this.buffer = idle ?? Buffer.allocUnsafeSlow(FIRST_BYTES);
    idle = null;
  }

  get bytes(): number {
    return this.used;
  }

  write(text: string): void {
    // A UTF-16 unit needs at most three bytes; the exact count is only worth its cost near the end of the buffer.
    if (this.buffer.length - this.used < text.length * 3) this.ensureRoom(Buffer.byteLength(text));
    this.used += this.buffer.write(text, this.used, 'utf8');
  }

  /** Truncates the content to its first `bytes` bytes. */
  cutTo(bytes: number): void {
    this.used = bytes;
  }

  /** Returns the content. The sink must not be written to afterwards. */
  toBytes(): Uint8Array {
    const bytes = this.buffer.subarray(0, this.used);
    if (this.buffer.length > KEPT_BYTES) return bytes;
    idle = this.buffer;
    return Buffer.from(bytes);
  }

  private ensureRoom(bytes: number): void {
    if (this.buffer.length - this.used >= bytes) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.buffer.length * 2, this.used + bytes));
    this.buffer.copy(larger, 0, 0, this.used);
    this.buffer = larger;
  }
}

/**
 * Writes rows until one would exceed `maxBytes`; that one is removed.
 * @returns the number of rows written
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
