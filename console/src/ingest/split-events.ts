/**
 * Splits bytes into events, one line each: the API then refuses a broken event alone, by its place. Memory is bounded
 * by the longest event that the API takes.
 */
import type { EventForm } from './event-form';

/** Longest event that the API takes. */
export const MAX_EVENT_BYTES = 1_048_576;

export interface EventSplitter {
  /** Events that end in these bytes. */
  push(bytes: Uint8Array): Uint8Array[];
  /** The event that the end of the input ends. */
  end(): Uint8Array[];
}

export function createSplitter(form: Exclude<EventForm, 'binary'>): EventSplitter {
  switch (form) {
    case 'lines':
      return new LineSplitter();
    case 'text':
      return new TextSplitter();
    case 'array':
      return new ValueSplitter(true);
    case 'values':
      return new ValueSplitter(false);
  }
}

const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN = [0x5b, 0x7b] as const;
const CLOSE = [0x5d, 0x7d] as const;
/** No string of JSON holds it, so that an event with it stays broken. */
const NEVER_IN_JSON = 1;

/** Bytes of one event. One that is too long is kept as far as the API needs to see that it is. */
class EventBytes {
  private bytes = new Uint8Array(4096);
  length = 0;

  add(byte: number): void {
    if (this.length > MAX_EVENT_BYTES) return;
    if (this.length === this.bytes.length) this.grow(this.length + 1);
    this.bytes[this.length++] = byte;
  }

  addAll(some: Uint8Array): void {
    const kept = some.subarray(0, Math.max(0, MAX_EVENT_BYTES + 1 - this.length));
    if (this.length + kept.length > this.bytes.length) this.grow(this.length + kept.length);
    this.bytes.set(kept, this.length);
    this.length += kept.length;
  }

  take(): Uint8Array {
    const taken = this.bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }

  private grow(needed: number): void {
    const larger = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}

class LineSplitter implements EventSplitter {
  private readonly event = new EventBytes();

  push(bytes: Uint8Array): Uint8Array[] {
    const events: Uint8Array[] = [];
    let start = 0;
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, start)) {
      this.event.addAll(bytes.subarray(start, at));
      events.push(...this.end());
      start = at + 1;
    }
    this.event.addAll(bytes.subarray(start));
    return events;
  }

  end(): Uint8Array[] {
    const line = this.event.take();
    return line.every(isBlank) ? [] : [line];
  }
}

/** Lines of any text as messages of events. */
class TextSplitter implements EventSplitter {
  private readonly lines = new LineSplitter();

  push(bytes: Uint8Array): Uint8Array[] {
    return this.lines.push(bytes).map(asMessage);
  }

  end(): Uint8Array[] {
    return this.lines.end().map(asMessage);
  }
}

function asMessage(line: Uint8Array): Uint8Array {
  const event_message = new TextDecoder().decode(line).replace(/\r$/, '');
  return new TextEncoder().encode(JSON.stringify({ event_message }));
}

/**
 * The values of a JSON array, or JSON values one after another. It knows brackets and strings; the API does the rest.
 */
class ValueSplitter implements EventSplitter {
  private readonly event = new EventBytes();
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  /** Depth of the values: one within the array. */
  private base = 0;
  private isOver = false;
  /** Bytes before the array, which are `[` or `{"batch": [`. */
  private isBefore: boolean;

  constructor(isArray: boolean) {
    this.isBefore = isArray;
  }

  push(bytes: Uint8Array): Uint8Array[] {
    const events: Uint8Array[] = [];
    for (const byte of bytes) {
      if (this.isOver) break;
      if (this.isBefore) this.readBefore(byte);
      else this.read(byte, events);
    }
    return events;
  }

  end(): Uint8Array[] {
    const value = this.event.take();
    return value.every(isBlank) ? [] : [value];
  }

  private readBefore(byte: number): void {
    if (byte !== OPEN[0]) return;
    this.isBefore = false;
    this.base = 1;
    this.depth = 1;
  }

  private read(byte: number, events: Uint8Array[]): void {
    if (this.isInString) return this.readInString(byte);
    if (this.depth === this.base && byte === COMMA) return this.finish(events);
    if (byte === QUOTE) this.isInString = true;
    else if (byte === OPEN[0] || byte === OPEN[1]) this.depth += 1;
    else if (byte === CLOSE[0] || byte === CLOSE[1]) this.depth -= 1;
    if (this.depth < this.base) {
      this.isOver = this.base === 1;
      this.depth = this.base;
      if (this.isOver) return this.finish(events);
    }
    this.event.add(byte === LF || byte === CR ? SPACE : byte);
    const isWhole = this.base === 0 && this.depth === 0 && (byte === CLOSE[0] || byte === CLOSE[1]);
    if (isWhole) this.finish(events);
  }

  private readInString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === BACKSLASH) this.isEscaped = true;
    else if (byte === QUOTE) this.isInString = false;
    this.event.add(byte === LF ? NEVER_IN_JSON : byte);
  }

  private finish(events: Uint8Array[]): void {
    events.push(...this.end());
  }
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === LF || byte === CR || byte === 9;
}
