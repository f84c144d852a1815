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
  const splitter = createSplitter(maxEventBytes);
  for await (const chunk of chunks) {
    const events = splitter.take(chunk);
    if (events.length > 0) yield events;
  }
  splitter.end();
}

interface Splitter {
  take(chunk: Buffer): InputEvent[];
  /** @throws ImportError when the array is not closed. */
  end(): void;
}

function createSplitter(maxEventBytes: number): Splitter {
  let line = 1;
  /** 0 before the array, 1 between its elements, more inside an element. */
  let depth = 0;
  let isClosed = false;
  let isInString = false;
  let isEscaped = false;
  let startLine = 0;
  let isInElement = false;
  let parts: Buffer[] = [];
  let size = 0;

  function keep(bytes: Buffer): void {
    size += bytes.length;
    if (size > maxEventBytes) parts = [];
    else parts.push(Buffer.from(bytes));
  }

  function finish(events: InputEvent[]): void {
    events.push({ place: startLine, json: size > maxEventBytes ? null : onOneLine(Buffer.concat(parts)) });
    parts = [];
    size = 0;
    isInElement = false;
  }

  function refuse(): never {
    throw new ImportError(`line ${line}: expected one JSON array and nothing after it`);
  }

  function take(chunk: Buffer): InputEvent[] {
    const events: InputEvent[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === Byte.Newline) line += 1;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === Byte.Backslash) isEscaped = true;
        else if (byte === Byte.Quote) isInString = false;
        continue;
      }
      if (byte <= Byte.Space && (byte === Byte.Space || isLineSpace(byte))) continue;
      if (isClosed) refuse();
      if (depth === 0) {
        if (byte !== Byte.OpenArray) refuse();
        depth = 1;
        continue;
      }
      if (depth === 1 && (byte === Byte.Comma || byte === Byte.CloseArray)) {
        if (isInElement) {
          keep(chunk.subarray(start, at));
          finish(events);
        } else if (byte === Byte.Comma) refuse();
        if (byte === Byte.CloseArray) isClosed = true;
        continue;
      }
      if (!isInElement) {
        isInElement = true;
        start = at;
        startLine = line;
      }
      if (byte === Byte.Quote) isInString = true;
      else if (byte === Byte.OpenObject || byte === Byte.OpenArray) depth += 1;
      else if (byte === Byte.CloseObject || byte === Byte.CloseArray) depth -= 1;
    }
    if (isInElement) keep(chunk.subarray(start));
    return events;
  }

  function end(): void {
    if (!isClosed) {
      throw new ImportError(`line ${line}: the file ends before its JSON array does`);
    }
  }

  return { take, end };
}

/** Replaces line breaks: between the tokens of JSON they are white space, and inside strings they are not allowed. */
function onOneLine(bytes: Buffer): Buffer {
  for (let at = 0; at < bytes.length; at++) {
    if (isLineSpace(bytes[at] as number)) bytes[at] = Byte.Space;
  }
  return bytes;
}

function isLineSpace(byte: number): boolean {
  return byte === Byte.Newline || byte === Byte.Return || byte === Byte.Tab;
}
