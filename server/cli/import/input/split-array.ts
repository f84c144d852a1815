/**
 * Splits a JSON array, or objects one after another, of any size and layout into events, each on one line. Follows
 * brackets and strings only; the server checks whether an event is valid JSON.
 */
import { ImportError } from '../import-error';
import { MAX_EVENT_BYTES, type InputEvent } from './input';

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * `member`: members of an object follow the array; they are not read. `objects`: there is no array, and no comma
 * between them, as tools print JSON for people.
 */
export type ArrayForm = 'array' | 'member' | 'objects';

export async function* splitArray(
  chunks: AsyncIterable<Buffer>,
  maxEventBytes = MAX_EVENT_BYTES,
  form: ArrayForm = 'array'
): AsyncGenerator<InputEvent[]> {
  const splitter = new ArraySplitter(maxEventBytes, form);
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
  private depth: number;
  private isClosed = false;
  private isInString = false;
  private isEscaped = false;
  private readonly element: ElementBytes;

  constructor(
    maxEventBytes: number,
    private readonly form: ArrayForm
  ) {
    this.depth = form === 'objects' ? 1 : 0;
    this.element = new ElementBytes(maxEventBytes);
  }

  /** @returns the elements that end in this chunk. @throws ImportError when the bytes are no array */
  take(chunk: Buffer): InputEvent[] {
    const events: InputEvent[] = [];
    this.element.onChunk(chunk);
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === NEWLINE) this.line += 1;
      if (this.isInString) this.readInString(byte);
      else if (!isSpace(byte)) this.readToken(byte, at, events);
    }
    this.element.onChunkEnd();
    return events;
  }

  /** @throws ImportError when the array is not closed. */
  end(): void {
    const isComplete = this.form === 'objects' ? this.depth === 1 : this.isClosed;
    const what = this.form === 'objects' ? 'last JSON object' : 'JSON array';
    if (!isComplete) throw new ImportError(`line ${this.line}: the file ends before its ${what} does`);
  }

  private readInString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === BACKSLASH) this.isEscaped = true;
    else if (byte === QUOTE) this.isInString = false;
  }

  private readToken(byte: number, at: number, events: InputEvent[]): void {
    if (this.isClosed && this.form === 'member') return;
    if (this.form === 'objects') return this.readObject(byte, at, events);
    if (this.isClosed) this.refuse();
    if (this.depth === 0) this.openArray(byte);
    else if (this.depth === 1 && (byte === COMMA || byte === CLOSE_ARRAY)) this.endElement(byte, at, events);
    else this.readElement(byte, at);
  }

  private readObject(byte: number, at: number, events: InputEvent[]): void {
    if (this.depth === 1 && byte !== OPEN_OBJECT) this.refuse();
    this.readElement(byte, at);
    if (this.depth === 1) events.push(this.element.end(at + 1));
  }

  private openArray(byte: number): void {
    if (byte !== OPEN_ARRAY) this.refuse();
    this.depth = 1;
  }

  /** @param byte a comma between elements, or the end of the array, which may be empty or follow a comma */
  private endElement(byte: number, at: number, events: InputEvent[]): void {
    if (this.element.isOpen) events.push(this.element.end(at));
    else if (byte === COMMA) this.refuse();
    if (byte === CLOSE_ARRAY) this.isClosed = true;
  }

  private readElement(byte: number, at: number): void {
    if (!this.element.isOpen) this.element.begin(at);
    if (byte === QUOTE) this.isInString = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.depth -= 1;
  }

  private refuse(): never {
    const expected = this.form === 'objects' ? 'a JSON object' : 'one JSON array and nothing after it';
    throw new ImportError(`line ${this.line}: expected ${expected}`);
  }
}

/** Bytes of the present element, collected over chunks. An element that is too large is not kept in memory. */
class ElementBytes {
  isOpen = false;
  private parts: Buffer[] = [];
  private size = 0;
  /** Elements that have begun. */
  private count = 0;
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

  begin(at: number): void {
    this.isOpen = true;
    this.from = at;
    this.count += 1;
  }

  end(at: number): InputEvent {
    this.keep(this.chunk.subarray(this.from, at));
    const json = this.size > this.maxBytes ? null : onOneLine(Buffer.concat(this.parts));
    this.parts = [];
    this.size = 0;
    this.isOpen = false;
    return { place: this.count, json };
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
    if (isLineSpace(bytes[at] as number)) bytes[at] = SPACE;
  }
  return bytes;
}

function isSpace(byte: number): boolean {
  return byte <= SPACE && (byte === SPACE || isLineSpace(byte));
}

function isLineSpace(byte: number): boolean {
  return byte === NEWLINE || byte === RETURN || byte === TAB;
}
