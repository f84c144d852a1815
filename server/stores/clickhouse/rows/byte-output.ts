/** Growing byte buffer. */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Up to here a loop is quicker than a call out of JavaScript. */
const SHORT_BYTES = 64;

export class ByteOutput {
  buffer: Buffer;
  length = 0;

  constructor(bytes = 8192) {
    this.buffer = Buffer.allocUnsafe(bytes);
  }

  clear(): void {
    this.length = 0;
  }

  text(text: string): void {
    this.ensure(text.length * 3);
    this.length += this.buffer.write(text, this.length, 'utf8');
  }

  /** Text with its length before it, as ClickHouse's binary formats have it. */
  sized(text: string): void {
    const { length } = text;
    // Most texts are short and ASCII, so that their length has one byte and is known before.
    this.ensure(length * 3 + 5);
    const written = this.buffer.write(text, this.length + 1, 'utf8');
    if (written < 0x80) {
      this.buffer[this.length] = written;
      this.length += written + 1;
      return;
    }
    this.size(Buffer.byteLength(text, 'utf8'));
    this.length += this.buffer.write(text, this.length, 'utf8');
  }

  sizedBytes(from: Buffer, start: number, end: number): void {
    this.size(end - start);
    this.bytes(from, start, end);
  }

  whole(value: bigint): void {
    this.ensure(8);
    this.length = this.buffer.writeBigInt64LE(value, this.length);
  }

  /** A number that JavaScript holds exactly. */
  smallWhole(value: number): void {
    this.ensure(8);
    const high = Math.floor(value / 2 ** 32);
    this.buffer.writeUInt32LE(value - high * 2 ** 32, this.length);
    this.length = this.buffer.writeInt32LE(high, this.length + 4);
  }

  unsigned(value: bigint): void {
    this.ensure(8);
    this.length = this.buffer.writeBigUInt64LE(value, this.length);
  }

  double(value: number): void {
    this.ensure(8);
    this.length = this.buffer.writeDoubleLE(value, this.length);
  }

  private size(bytes: number): void {
    this.ensure(5);
    let left = bytes;
    for (; left >= 0x80; left >>>= 7) this.buffer[this.length++] = (left & 0x7f) | 0x80;
    this.buffer[this.length++] = left;
  }

  byte(byte: number): void {
    this.ensure(1);
    this.buffer[this.length++] = byte;
  }

  bytes(from: Buffer, start: number, end: number): void {
    this.ensure(end - start);
    if (end - start > SHORT_BYTES) {
      this.length += from.copy(this.buffer, this.length, start, end);
      return;
    }
    const { buffer } = this;
    let { length } = this;
    for (let at = start; at < end; at++) buffer[length++] = from[at]!;
    this.length = length;
  }

  all(bytes: Buffer): void {
    this.bytes(bytes, 0, bytes.length);
  }

  /** Escapes JSON text for a JSON string. Normalized text has no control characters, only quotes and backslashes. */
  escaped(from: Buffer, start: number, end: number): void {
    this.ensure((end - start) * 2);
    const { buffer } = this;
    let { length } = this;
    for (let at = start; at < end; at++) {
      const byte = from[at]!;
      if (byte === QUOTE || byte === BACKSLASH) buffer[length++] = BACKSLASH;
      buffer[length++] = byte;
    }
    this.length = length;
  }

  private ensure(more: number): void {
    if (this.length + more <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + more));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}
