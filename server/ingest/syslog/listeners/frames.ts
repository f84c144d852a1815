/**
 * Messages of a stream, by RFC 6587: `LENGTH SP MESSAGE`, or messages that end with a line feed or a NUL. Each message
 * tells by itself which of both it is, so a relay may mix them. A message that is longer than allowed is cut.
 */
const LF = 0x0a;
const CR = 0x0d;
const NUL = 0x00;
const SPACE = 0x20;
const LESS_THAN = 0x3c;
const EMPTY = Buffer.alloc(0);
/** A buffer is exchanged for a smaller one when it has this many times the bytes that are needed. */
const MAX_SLACK = 4;
const MIN_BUFFER_BYTES = 1024;

/** Longest message on the wire, the part that is cut off included. */
export const MAX_FRAME_BYTES = 16 * 1024 * 1024;
/** A longer number is no length, but the beginning of a line. */
const MAX_LENGTH_DIGITS = 15;

export interface Frame {
  /** Valid until the next call of `push` or `settle`. */
  readonly bytes: Buffer;
  /** Whether the message is longer. */
  readonly isCut: boolean;
}

type Mode =
  | { readonly kind: 'start' }
  | { readonly kind: 'line' }
  | { readonly kind: 'counted'; readonly length: number }
  /** Behind a message that was cut. `left`: bytes to its end; null: it ends with a delimiter. */
  | { readonly kind: 'rest'; left: number | null; passed: number };

const START: Mode = { kind: 'start' };

/** The stream cannot be followed: it does not say where its next message begins. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

export class FrameReader {
  private buffer: Buffer = EMPTY;
  private start = 0;
  private end = 0;
  /** Offset up to which a line has no delimiter. */
  private scanned = 0;
  private mode: Mode = START;

  /** @param maxBytes longest message; more is cut off */
  constructor(private readonly maxBytes: number) {}

  /** Whether a message has begun and not ended. */
  get isInMessage(): boolean {
    return this.mode.kind !== 'start' || this.heldBytes > 0;
  }

  push(chunk: Buffer): void {
    this.makeRoom(chunk.length);
    this.end += chunk.copy(this.buffer, this.end);
  }

  /** @returns the next complete message; null: more bytes are needed @throws FrameError */
  next(): Frame | null {
    for (;;) {
      if (this.mode.kind === 'rest' && !this.passRest(this.mode)) return null;
      if (this.mode.kind === 'start' && !this.begin()) return null;
      const frame = this.mode.kind === 'counted' ? this.takeCounted(this.mode.length) : this.takeLine();
      if (frame === null || !isBlank(frame.bytes)) return frame;
    }
  }

  /** Takes what there is of a message that will not be completed. @returns null when there is nothing */
  flush(): Frame | null {
    const { kind } = this.mode;
    this.mode = START;
    if (kind === 'rest') this.start = this.end;
    return this.heldBytes === 0 ? null : this.take(this.heldBytes, kind === 'counted');
  }

  /** Gives memory back. Called after the messages of a chunk. */
  settle(): void {
    const used = this.heldBytes;
    if (this.buffer.length <= Math.max(MIN_BUFFER_BYTES, MAX_SLACK * used)) return;
    this.moveTo(used === 0 ? EMPTY : Buffer.allocUnsafeSlow(used));
  }

  private get heldBytes(): number {
    return this.end - this.start;
  }

  /** @returns false when more bytes are needed to know how the message ends */
  private begin(): boolean {
    while (this.start < this.end && isDelimiter(this.buffer[this.start]!)) this.start++;
    this.scanned = this.start;
    const { buffer, start, end } = this;
    let at = start;
    while (at < end && at - start < MAX_LENGTH_DIGITS && isDigit(buffer[at]!)) at++;
    if (at === end) return false;
    const mayBeLength = at > start && buffer[start] !== 0x30 && buffer[at] === SPACE;
    if (mayBeLength && at + 1 === end) return false;
    // The "<" of the priority tells a length from a line that begins with a number.
    if (!mayBeLength || buffer[at + 1] !== LESS_THAN) {
      this.mode = { kind: 'line' };
      return true;
    }
    const length = Number(buffer.toString('latin1', start, at));
    if (length > MAX_FRAME_BYTES) throw new FrameError(`a message is announced with ${length} bytes`);
    this.start = at + 1;
    this.mode = { kind: 'counted', length };
    return true;
  }

  private takeCounted(length: number): Frame | null {
    const taken = Math.min(length, this.maxBytes);
    if (this.heldBytes < taken) return null;
    this.mode = length > taken ? { kind: 'rest', left: length - taken, passed: 0 } : START;
    return this.take(taken, length > taken);
  }

  private takeLine(): Frame | null {
    const { buffer, start, end, maxBytes } = this;
    const last = Math.min(end, start + maxBytes + 1);
    let at = this.scanned;
    while (at < last && !isDelimiter(buffer[at]!)) at++;
    this.scanned = at;
    if (at < last) {
      this.mode = START;
      return this.take(at - start, false);
    }
    if (end - start <= maxBytes) return null;
    this.mode = { kind: 'rest', left: null, passed: 0 };
    return this.take(maxBytes, true);
  }

  /** @returns false when more bytes are needed */
  private passRest(rest: Extract<Mode, { kind: 'rest' }>): boolean {
    const before = this.start;
    if (rest.left === null) {
      while (this.start < this.end && !isDelimiter(this.buffer[this.start]!)) this.start++;
    } else {
      this.start += Math.min(rest.left, this.heldBytes);
      rest.left -= this.start - before;
    }
    rest.passed += this.start - before;
    if (rest.passed > MAX_FRAME_BYTES) throw new FrameError(`a message has more than ${MAX_FRAME_BYTES} bytes`);
    const isOver = rest.left === null ? this.start < this.end : rest.left === 0;
    if (isOver) this.mode = START;
    return isOver;
  }

  private take(bytes: number, isCut: boolean): Frame {
    const { start } = this;
    this.start += bytes;
    return { bytes: this.buffer.subarray(start, this.start), isCut };
  }

  private makeRoom(bytes: number): void {
    if (this.end + bytes <= this.buffer.length) return;
    const needed = this.heldBytes + bytes;
    const isEnough = needed <= this.buffer.length;
    this.moveTo(isEnough ? this.buffer : Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.heldBytes)));
  }

  private moveTo(target: Buffer): void {
    this.buffer.copy(target, 0, this.start, this.end);
    this.scanned = Math.max(0, this.scanned - this.start);
    this.end = this.heldBytes;
    this.start = 0;
    this.buffer = target;
  }
}

const isDelimiter = (byte: number): boolean => byte === LF || byte === NUL;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
/** A line without a text, with the carriage return that may precede its line feed. */
const isBlank = (bytes: Buffer): boolean => bytes.length === 0 || (bytes.length === 1 && bytes[0] === CR);
