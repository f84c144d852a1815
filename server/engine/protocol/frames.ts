/**
 * Frames of the engine pipe: [u32 header length][u32 body length][JSON header][binary body], numbers in little endian.
 * Bytes arrive in chunks of any size; each byte of a body is copied once, into a buffer of the body's exact size.
 */

export interface Frame {
  readonly header: unknown;
  /** Empty when the frame has none. */
  readonly body: Uint8Array;
}

/** Maximum sizes. The largest headers have definitions; a body is an encoded result or an ingest batch. */
export const MAX_HEADER_BYTES = 64 * 1024 * 1024;
export const MAX_BODY_BYTES = 512 * 1024 * 1024;

const PREFIX_BYTES = 8;
const EMPTY = new Uint8Array(0);

/** Invalid bytes on the pipe: no byte after them can be trusted. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** @returns the frame without its body, which is sent after it without a copy. */
export function encodeFrameHead(header: unknown, bodyBytes: number): Buffer {
  const text = JSON.stringify(header);
  const headerBytes = Buffer.byteLength(text);
  ensureSizes(headerBytes, bodyBytes);
  const head = Buffer.allocUnsafe(PREFIX_BYTES + headerBytes);
  head.writeUInt32LE(headerBytes, 0);
  head.writeUInt32LE(bodyBytes, 4);
  head.write(text, PREFIX_BYTES, 'utf8');
  return head;
}

type Part = 'prefix' | 'header' | 'body';

/** Reassembles frames. One reader per pipe. */
export class FrameReader {
  private part: Part = 'prefix';
  private target: Buffer = Buffer.allocUnsafe(PREFIX_BYTES);
  private filled = 0;
  private bodyBytes = 0;
  private header: unknown = null;

  constructor(private readonly onFrame: (frame: Frame) => void) {}

  /** @throws FrameError when the bytes are no frames; the reader must not be used again. */
  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      const count = Math.min(this.target.length - this.filled, chunk.length - at);
      this.target.set(chunk.subarray(at, at + count), this.filled);
      this.filled += count;
      at += count;
      if (this.filled === this.target.length) this.endPart();
    }
  }

  /** True between frames. */
  isIdle(): boolean {
    return this.part === 'prefix' && this.filled === 0;
  }

  private endPart(): void {
    const done = this.target;
    switch (this.part) {
      case 'prefix': {
        const headerBytes = done.readUInt32LE(0);
        this.bodyBytes = done.readUInt32LE(4);
        ensureSizes(headerBytes, this.bodyBytes);
        if (headerBytes === 0) throw new FrameError('a frame has no header');
        this.begin('header', headerBytes);
        return;
      }
      case 'header':
        this.header = parseHeader(done);
        if (this.bodyBytes > 0) this.begin('body', this.bodyBytes);
        else this.deliver(EMPTY);
        return;
      case 'body':
        this.deliver(done);
    }
  }

  private deliver(body: Uint8Array): void {
    const frame = { header: this.header, body };
    this.header = null;
    this.begin('prefix', PREFIX_BYTES);
    this.onFrame(frame);
  }

  private begin(part: Part, bytes: number): void {
    this.part = part;
    // A body gets its own memory: otherwise a small one would keep a shared pool alive.
    this.target = part === 'body' ? Buffer.allocUnsafeSlow(bytes) : Buffer.allocUnsafe(bytes);
    this.filled = 0;
  }
}

function parseHeader(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new FrameError('a frame header is not JSON', { cause });
  }
}

function ensureSizes(headerBytes: number, bodyBytes: number): void {
  if (headerBytes > MAX_HEADER_BYTES || bodyBytes > MAX_BODY_BYTES)
    throw new FrameError(`a frame of ${headerBytes} + ${bodyBytes} bytes is too large`);
}
