/** Bytes that are written one part after another into memory that grows. */

/** Below this a loop is faster than a call of the platform. */
const MIN_BULK_BYTES = 128;
const encoder = new TextEncoder();

export class ByteWriter {
  private bytes: Uint8Array;
  private count = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(Math.max(64, capacity));
  }

  get length(): number {
    return this.count;
  }

  /** Forgets what was written behind this length. */
  truncate(length: number): void {
    this.count = length;
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.count++] = value;
  }

  /** Writes `source[start]` up to, without, `source[end]`. */
  copy(source: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    const { bytes, count } = this;
    if (end - start < MIN_BULK_BYTES)
      for (let at = start; at < end; at++) bytes[count + at - start] = source[at] as number;
    else bytes.set(source.subarray(start, end), count);
    this.count += end - start;
  }

  text(text: string): void {
    this.reserve(text.length * 3);
    this.count += encoder.encodeInto(text, this.bytes.subarray(this.count)).written;
  }

  /** The written bytes from a length on; valid until the next write. */
  view(start = 0): Uint8Array {
    return this.bytes.subarray(start, this.count);
  }

  private reserve(more: number): void {
    if (this.count + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.count + more));
    larger.set(this.view());
    this.bytes = larger;
  }
}
