/**
 * Splits a JSON body into slices that parse fast, without changing a byte. The content decides the form: one object, an
 * array, `{"batch":[..]}`, or one object per line. In lines a broken entry affects only itself, so they are not parsed
 * here; in the other forms broken JSON makes the whole body invalid, since the start of the next entry is unknown.
 */
import { ServiceError } from '#contract/errors';
import { MAX_ENTRY_BYTES } from '#contract/events/source';
import { JsonSyntaxError } from '../../../common/json/json-lexer';
import { asBodyError } from './body-error';
import { SOURCE_KEYS } from './body-source';
import { FineTimeFinder } from '../events/fine-time';
import { JsonWalk } from './json-walk';
import { type BodySlice, SliceList } from '../slice-list';

export interface SplitBody {
  readonly slices: readonly BodySlice[];
  /** Number of entries, including those of `oversized`. */
  readonly count: number;
  /** Indexes of entries that are longer than `MAX_ENTRY_BYTES`; they are in no slice. */
  readonly oversized: readonly number[];
  /** True when an entry of the slices has its own timestamp, finer than a second. */
  readonly hasFineTime: boolean;
}

/** Yields to let other work run. */
export type Turns<T> = Generator<null, T>;

/**
 * @param maxEntries entries beyond it are only counted
 * @throws ServiceError `body_invalid`, `body_too_large` with the number of entries
 */
export function* splitBody(body: Buffer, maxEntries: number): Turns<SplitBody> {
  const start = hasByteOrderMark(body) ? 3 : 0;
  const splitter = new BodySplitter(body, start, maxEntries);
  try {
    return yield* splitter.split();
  } catch (error) {
    throw yield* asBodyError(error, body);
  }
}

/** Bytes after which a turn ends. */
const TURN_BYTES = 64 * 1024;
const ENVELOPE_START = new RegExp(`^\\s*\\{\\s*"(${['batch', ...SOURCE_KEYS].join('|')})"\\s*:`);
const MAX_ENVELOPE_START = 256;

class BodySplitter {
  private readonly body: Buffer;
  /** Offset of the first value, after the blanks before it were skipped. */
  private start: number;
  private readonly maxEntries: number;
  private readonly lexer: JsonWalk;
  private times: FineTimeFinder;
  private hasFineTime = false;
  private turnAt = 0;
  /** True in an array of entries: broken JSON in it is an error of the body. */
  private isInBatch = false;

  constructor(body: Buffer, start: number, maxEntries: number) {
    this.body = body;
    this.start = start;
    this.maxEntries = maxEntries;
    this.lexer = new JsonWalk(body);
    this.times = new FineTimeFinder(body);
  }

  *split(): Turns<SplitBody> {
    const { lexer, body } = this;
    lexer.position = this.start;
    yield* lexer.passBlanks();
    this.start = lexer.position;
    const first = lexer.peek();
    if (lexer.position >= body.length)
      throw new ServiceError('body_invalid', 'The request body is empty.', { reason: 'empty' });
    if (first === 0x5b) {
      const slices = yield* this.readItems();
      return yield* this.finishWhole(slices, 'the array');
    }
    if (ENVELOPE_START.test(body.toString('latin1', lexer.position, lexer.position + MAX_ENVELOPE_START))) {
      const slices = yield* this.readEnvelope();
      if (slices !== null) return yield* this.finishWhole(slices, 'the batch');
      this.times = new FineTimeFinder(body);
      this.hasFineTime = false;
    }
    if (yield* this.hasSeveralLines()) return yield* this.splitLines();
    return yield* this.splitSingle();
  }

  /**
   * Entries of `{"batch":[..]}`, which may name its source, too.
   * @returns null when the object has anything else, so it is an event
   */
  private *readEnvelope(): Turns<SliceList | null> {
    const { lexer } = this;
    let slices: SliceList | null = null;
    try {
      for (let key = yield* lexer.openObject(); key !== null; key = yield* lexer.nextKey()) {
        if (key === 'batch' && slices === null && lexer.peek() === 0x5b) slices = yield* this.readItems();
        else if (!SOURCE_KEYS.includes(key) || lexer.pass() === null) return null;
      }
    } catch (error) {
      if (this.isInBatch || !(error instanceof JsonSyntaxError)) throw error;
      return null;
    }
    return slices;
  }

  /** Entries of the array at the position, up to its closing bracket. */
  private *readItems(): Turns<SliceList> {
    const { lexer } = this;
    const slices = new SliceList(this.body, 'items', this.maxEntries);
    this.isInBatch = true;
    lexer.position++;
    yield* lexer.passBlanks();
    if (lexer.peek() === 0x5d) lexer.position++;
    else {
      do {
        if (lexer.isAtBlank) yield* lexer.passBlanks();
        const start = lexer.position;
        const isWhole = lexer.passWithin(MAX_ENTRY_BYTES);
        if (!isWhole) yield* lexer.passOversized(start);
        this.keep(slices, start, lexer.position, !isWhole);
        if (lexer.isAtBlank) yield* lexer.passBlanks();
        if (this.isTurn()) yield null;
      } while (lexer.hasMoreItems());
    }
    this.isInBatch = false;
    yield* lexer.passBlanks();
    return slices;
  }

  private *finishWhole(slices: SliceList, what: string): Turns<SplitBody> {
    yield* this.lexer.passBlanks();
    this.ensureNothingFollows(what);
    return this.finish(slices);
  }

  /** Blank lines are not counted. */
  private *splitLines(): Turns<SplitBody> {
    const slices = new SliceList(this.body, 'lines', this.maxEntries);
    for (const line of this.filledLines(this.start)) {
      if (line !== null) this.keep(slices, line.start, line.end, line.end - line.start > MAX_ENTRY_BYTES);
      if (line === null || this.isTurn(line.end)) yield null;
    }
    return this.finish(slices);
  }

  private *splitSingle(): Turns<SplitBody> {
    const { lexer } = this;
    const slices = new SliceList(this.body, 'items', this.maxEntries);
    lexer.position = this.start;
    const isObject = lexer.peek() === 0x7b;
    const { position } = lexer;
    const isWhole = lexer.passWithin(MAX_ENTRY_BYTES);
    if (isWhole) {
      if (!isObject) {
        lexer.position = position;
        lexer.fail('an object, an array or one object per line');
      }
      yield* lexer.passBlanks();
      this.ensureNothingFollows('the object');
    }
    this.keep(slices, position, isWhole ? lexer.position : this.body.length, !isWhole);
    return this.finish(slices);
  }

  private keep(slices: SliceList, start: number, end: number, isOversized: boolean): void {
    if (slices.add(start, end, isOversized)) this.hasFineTime ||= this.times.isIn(start, end);
  }

  private finish(slices: SliceList): SplitBody {
    return { ...slices.finish(), hasFineTime: this.hasFineTime };
  }

  /**
   * True for one object per line, false for one object that may span lines. The first object ends on its line, before
   * the end of the body; or it is broken or too long, and a later line looks like an entry.
   */
  private *hasSeveralLines(): Turns<boolean> {
    const { body, lexer } = this;
    const lines = this.filledLines(this.start);
    let second: Line | null = null;
    let count = 0;
    for (const line of lines) {
      if (line === null) yield null;
      else if (++count === 2) {
        second = line;
        break;
      }
    }
    if (second === null) return false;
    lexer.position = this.start;
    try {
      if (lexer.passWithin(MAX_ENTRY_BYTES)) {
        yield* lexer.passBlanks();
        return lexer.position < body.length;
      }
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
    }
    for (const line of this.filledLines(second.start)) {
      if (line === null) yield null;
      else if (body[line.start] === 0x7b && body[line.end - 1] === 0x7d) return true;
      else if (this.isTurn(line.end)) yield null;
    }
    return false;
  }

  /** Lines that are not blank, without white space at their ends; null between them for turns. */
  private *filledLines(from: number): Generator<Line | null, void> {
    const { body } = this;
    let blank = 0;
    for (let start = from; start < body.length;) {
      const newline = body.indexOf(0x0a, start);
      const next = newline < 0 ? body.length : newline + 1;
      let end = newline < 0 ? body.length : newline;
      const before = end - start;
      while (end > start && isBlank(body[end - 1]!)) end--;
      let begin = start;
      while (begin < end && isBlank(body[begin]!)) begin++;
      if (end > begin) yield { start: begin, end };
      blank += 1 + before - (end - begin);
      if (blank > TURN_BYTES) {
        blank = 0;
        yield null;
      }
      start = next;
    }
  }

  private isTurn(position = this.lexer.position): boolean {
    if (position - this.turnAt < TURN_BYTES) return false;
    this.turnAt = position;
    return true;
  }

  private ensureNothingFollows(what: string): void {
    const { lexer, body } = this;
    lexer.peek();
    if (lexer.position < body.length) throw new JsonSyntaxError(`unexpected text after ${what}`, lexer.position);
  }
}

interface Line {
  readonly start: number;
  readonly end: number;
}

export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function hasByteOrderMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
}
