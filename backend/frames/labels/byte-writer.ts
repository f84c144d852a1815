/** Growing byte buffer. */

/** Below this size a loop is faster than the platform function. */
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

  /** Truncates the content to this length. */
  truncate(length: number): void {
    this.count = length;
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.count++] = value;
  }

  /** Appends `source[start]` up to but not including `source[end]`. */
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

  /** Written bytes from an offset on; valid until the next write. */
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
