/**
 * Bytes with a position, for flatbuffers that are written from front to back. Every number is at a multiple of four,
 * and bytes that are skipped are zero.
 */
import { aligned } from './format';

export class FlatWriter {
  readonly bytes: Buffer;
  at = 0;
  private readonly words: Int32Array;

  /** @param capacity upper bound: the bytes do not grow */
  constructor(capacity: number) {
    const memory = new ArrayBuffer(aligned(capacity));
    this.bytes = Buffer.from(memory);
    this.words = new Int32Array(memory);
  }

  setInt32(at: number, value: number): void {
    this.words[at >> 2] = value;
  }

  /** @param value not negative */
  setInt64(at: number, value: number): void {
    this.words[at >> 2] = value | 0;
    this.words[(at >> 2) + 1] = Math.floor(value / 2 ** 32);
  }

  int32(value: number): void {
    this.setInt32(this.at, value);
    this.at += 4;
  }

  int64(value: number): void {
    this.setInt64(this.at, value);
    this.at += 8;
  }

  /** Distance from a place to what it names. */
  link(at: number, target: number): void {
    this.setInt32(at, target - at);
  }

  /** Length, UTF-8 and a zero. */
  text(text: string): void {
    const length = this.bytes.write(text, this.at + 4);
    this.setInt32(this.at, length);
    this.at = (this.at + 4 + length + 1 + 3) & -4;
  }

  /** @param ascii without length */
  mark(ascii: string): void {
    this.at += this.bytes.write(ascii, this.at, 'latin1');
  }

  /** Bytes with a length of a multiple of four. */
  block(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  /** A buffer of a record batch. */
  buffer(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.at);
    this.at += aligned(bytes.length);
  }

  align(): void {
    this.at = aligned(this.at);
  }
}
