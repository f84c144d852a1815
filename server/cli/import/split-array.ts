/**
 * Splits a JSON array of any size and layout into its elements, one event each on one line. Follows brackets and
 * strings only; the server checks whether an element is valid JSON.
 */
import { ImportError } from './import-error';
import { MAX_EVENT_BYTES, type InputEvent } from './input';

const enum Byte {
  Tab = 9,
  Newline = 10,
  Return = 13,
  Space = 32,
  Quote = 34,
  Comma = 44,
  OpenArray = 91,
  Backslash = 92,
  CloseArray = 93,
  OpenObject = 123,
  CloseObject = 125,
}

export async function* splitArray(
  chunks: AsyncIterable<Buffer>,
  maxEventBytes = MAX_EVENT_BYTES
): AsyncGenerator<InputEvent[]> {
  const splitter = new ArraySplitter(maxEventBytes);
  for await (const chunk of chunks) {
    const events = splitter.take(chunk);
    if (events.length > 0) yield events;
  }
  splitter.end();
}

/** Position in the array, which may change in the middle of a chunk. */
class ArraySplitter {
  private line = 1;
  /** 0 before the array, 1 between its elements, more inside an element. */
  private depth = 0;
  private isClosed = false;
  private isInString = false;
  private isEscaped = false;
  private readonly element: ElementBytes;

  constructor(maxEventBytes: number) {
    this.element = new ElementBytes(maxEventBytes);
  }

  /** @returns the elements that end in this chunk. @throws ImportError when the bytes are no array */
  take(chunk: Buffer): InputEvent[] {
    const events: InputEvent[] = [];
    this.element.onChunk(chunk);
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === Byte.Newline) this.line += 1;
      if (this.isInString) this.readInString(byte);
      else if (!isSpace(byte)) this.readToken(byte, at, events);
    }
    this.element.onChunkEnd();
    return events;
  }

  /** @throws ImportError when the array is not closed. */
  end(): void {
    if (!this.isClosed) throw new ImportError(`line ${this.line}: the file ends before its JSON array does`);
  }

  private readInString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === Byte.Backslash) this.isEscaped = true;
    else if (byte === Byte.Quote) this.isInString = false;
  }

  private readToken(byte: number, at: number, events: InputEvent[]): void {
    if (this.isClosed) this.refuse();
    if (this.depth === 0) this.openArray(byte);
    else if (this.depth === 1 && (byte === Byte.Comma || byte === Byte.CloseArray)) this.endElement(byte, at, events);
    else this.readElement(byte, at);
  }

  private openArray(byte: number): void {
    if (byte !== Byte.OpenArray) this.refuse();
    this.depth = 1;
  }

  /** @param byte a comma between elements, or the end of the array, which may be empty or follow a comma */
  private endElement(byte: number, at: number, events: InputEvent[]): void {
    if (this.element.isOpen) events.push(this.element.end(at));
    else if (byte === Byte.Comma) this.refuse();
    if (byte === Byte.CloseArray) this.isClosed = true;
  }

  private readElement(byte: number, at: number): void {
    if (!this.element.isOpen) this.element.begin(at, this.line);
    if (byte === Byte.Quote) this.isInString = true;
    else if (byte === Byte.OpenObject || byte === Byte.OpenArray) this.depth += 1;
    else if (byte === Byte.CloseObject || byte === Byte.CloseArray) this.depth -= 1;
  }

  private refuse(): never {
    throw new ImportError(`line ${this.line}: expected one JSON array and nothing after it`);
  }
}

/** Bytes of the present element, collected over chunks. An element that is too large is not kept in memory. */
class ElementBytes {
  isOpen = false;
  private parts: Buffer[] = [];
  private size = 0;
  private startLine = 0;
  private chunk: Buffer = Buffer.alloc(0);
  /** First byte of the element in the present chunk. */
  private from = 0;

  constructor(private readonly maxBytes: number) {}

  onChunk(chunk: Buffer): void {
    this.chunk = chunk;
    this.from = 0;
  }

  onChunkEnd(): void {
    if (this.isOpen) this.keep(this.chunk.subarray(this.from));
  }

  begin(at: number, line: number): void {
    this.isOpen = true;
    this.from = at;
    this.startLine = line;
  }

  end(at: number): InputEvent {
    this.keep(this.chunk.subarray(this.from, at));
    const json = this.size > this.maxBytes ? null : onOneLine(Buffer.concat(this.parts));
    this.parts = [];
    this.size = 0;
    this.isOpen = false;
    return { place: this.startLine, json };
  }

  private keep(bytes: Buffer): void {
    this.size += bytes.length;
    if (this.size > this.maxBytes) this.parts = [];
    else this.parts.push(Buffer.from(bytes));
  }
}

/** Replaces line breaks: between the tokens of JSON they are white space, and inside strings they are not allowed. */
function onOneLine(bytes: Buffer): Buffer {
  for (let at = 0; at < bytes.length; at++) {
    if (isLineSpace(bytes[at] as number)) bytes[at] = Byte.Space;
  }
  return bytes;
}

function isSpace(byte: number): boolean {
  return byte <= Byte.Space && (byte === Byte.Space || isLineSpace(byte));
}

function isLineSpace(byte: number): boolean {
  return byte === Byte.Newline || byte === Byte.Return || byte === Byte.Tab;
}
