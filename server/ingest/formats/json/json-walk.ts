/**
 * Walks through a JSON document without building its values: those of a small hostile document would need a hundred
 * times its memory. Parts of bounded size are then read as trees.
 */
import { MAX_ENTRY_BYTES, MAX_ENTRY_VALUES } from '#contract/events/source';
import { JsonSyntaxError, MAX_DEPTH } from '../../../common/json/json-lexer';
import { decodeJsonString, type JsonNode, readJsonTree } from '../../../common/json/json-tree';
import { EntryLexer } from './entry-lexer';
import { type RecordRefusal, tooDeep, tooLarge, tooManyValues } from '../record-refusal';

/** Maximum depth of a part that is read as a tree. Formats wrap each value in several objects. */
const MAX_PART_DEPTH = 400;
/**
 * Maximum values of a part of OTLP: an attribute is four, the pair, its key, the wrapper and the value, and the event
 * has one of them.
 */
export const MAX_WRAPPED_VALUES = 5 * MAX_ENTRY_VALUES;

/** Position of a value in the document. */
export interface JsonPart {
  readonly start: number;
  readonly end: number;
  /** Reason why the part is not read as a tree; null: it can be. */
  readonly refusal: RecordRefusal | null;
}

const MAX_KEY_BYTES = 64;
/** Bytes after which a turn ends. */
const TURN_BYTES = 64 * 1024;

/** What the caller has no bound for is read in turns: such generators yield null for other work. */
export class JsonWalk extends EntryLexer {
  private turnAt = 0;

  constructor(document: Buffer) {
    super(document);
    if (document[0] === 0xef && document[1] === 0xbb && document[2] === 0xbf) this.position = 3;
  }

  /**
   * Enters the object at the current position. The caller must skip each value before the next key.
   * @returns the first key; null for an object without keys, and for null
   */
  *openObject(): Generator<null, string | null> {
    if (this.isAtBlank) yield* this.passBlanks();
    if (this.passNull()) return null;
    if (this.peek() !== 0x7b) this.fail('an object');
    this.position++;
    if (this.isAtBlank) yield* this.passBlanks();
    if (this.peek() !== 0x7d) return yield* this.passKey();
    this.position++;
    return null;
  }

  /** @returns null at the end of the object */
  *nextKey(): Generator<null, string | null> {
    return (yield* this.hasMore(0x7d, '"," or "}"')) ? yield* this.passKey() : null;
  }

  /** Keys of an object in a document of bounded size, without turns. */
  *keys(): Generator<string, void> {
    for (let key = atOnce(this.openObject()); key !== null; key = atOnce(this.nextKey())) yield key;
  }

  /**
   * Enters the array at the current position. @returns whether there is an item, which must be skipped before the next.
   * Null is an empty array.
   */
  *openArray(): Generator<null, boolean> {
    if (this.passNull()) return false;
    if (this.peek() !== 0x5b) this.fail('an array');
    this.position++;
    if (this.isAtBlank) yield* this.passBlanks();
    if (this.peek() !== 0x5d) return true;
    this.position++;
    return false;
  }

  nextItem(): Generator<null, boolean> {
    return this.hasMore(0x5d, '"," or "]"');
  }

  /** Called after an item of an array without its brackets. @returns whether another follows */
  nextOfBare(): boolean {
    if (this.isAtEnd()) return false;
    this.expect(0x2c);
    return true;
  }

  isAtEnd(): boolean {
    this.peek();
    return this.position >= this.document.length;
  }

  /**
   * @param maxValues with more, the part is refused
   * @returns null for a value that is too large to be read as a tree: it must be skipped with `passLarge`
   */
  pass(maxValues = MAX_ENTRY_VALUES): JsonPart | null {
    this.peek();
    const start = this.position;
    this.resetFacts();
    if (this.passWithin(MAX_ENTRY_BYTES, MAX_DEPTH - MAX_PART_DEPTH)) {
      return { start, end: this.position, refusal: this.refusalOfPart(maxValues) };
    }
    this.position = start;
    return null;
  }

  /** @param isAlone see `passOversized` */
  *passLarge(isAlone = false): Generator<null, JsonPart> {
    const start = this.position;
    yield* this.passOversized(start, isAlone);
    return { start, end: this.position, refusal: tooLarge() };
  }

  ensureEnd(): void {
    this.peek();
    if (this.position < this.document.length) this.fail('the end of the body');
  }

  /** @throws RecordRefusal for a part that would cost too much */
  tree({ start, end, refusal }: JsonPart): JsonNode {
    if (refusal !== null) throw refusal;
    return readJsonTree(this.document, start, end);
  }

  private refusalOfPart(maxValues: number): RecordRefusal | null {
    if (this.tooDeep) return tooDeep();
    return this.valueCount > maxValues ? tooManyValues() : null;
  }

  private passNull(): boolean {
    if (this.peek() !== 0x6e) return false;
    this.scanScalar();
    return true;
  }

  /**
   * Reads a key, and skips what is between it and its value. A key that is longer than all known ones is not decoded.
   */
  private *passKey(): Generator<null, string> {
    if (this.peek() !== 0x22) this.fail('a key in double quotes');
    const start = this.position;
    if (!this.passWithin(MAX_ENTRY_BYTES))
      throw new JsonSyntaxError(`a key is longer than ${MAX_ENTRY_BYTES} bytes`, start);
    const key = this.position - start > MAX_KEY_BYTES ? '' : decodeJsonString(this.document, start, this.position);
    if (this.isAtBlank) yield* this.passBlanks();
    this.expect(0x3a);
    if (this.isAtBlank) yield* this.passBlanks();
    return key;
  }

  private *hasMore(closing: number, expected: string): Generator<null, boolean> {
    if (this.position - this.turnAt >= TURN_BYTES) {
      this.turnAt = this.position;
      yield null;
    }
    if (this.isAtBlank) yield* this.passBlanks();
    const byte = this.peek();
    if (byte !== 0x2c && byte !== closing) this.fail(expected);
    this.position++;
    if (byte === closing) return false;
    if (this.isAtBlank) yield* this.passBlanks();
    return true;
  }
}

function atOnce<T>(work: Generator<null, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
