/**
 * Walks through a JSON document without building its values: those of a small hostile document would need a hundred
 * times its memory. Parts of bounded size are then read as trees.
 */
import { ServiceError } from '#contract/errors';
import { MAX_ENTRY_BYTES, MAX_ENTRY_VALUES } from '#contract/source';
import { JsonSyntaxError, MAX_DEPTH } from '../../common/json/json-lexer';
import { decodeJsonString, type JsonNode, readJsonTree } from '../../common/json/json-tree';
import { EntryLexer } from './entry-lexer';
import { type RecordRefusal, tooDeep, tooLarge, tooManyValues } from './record-refusal';

/** Maximum depth of a part that is read as a tree. Formats wrap each value in several objects. */
const MAX_PART_DEPTH = 400;
/** Maximum values of such a part. An attribute of OTLP is four values: the pair, its key, the wrapper and the value. */
const MAX_PART_VALUES = 5 * MAX_ENTRY_VALUES;

/** Position of a value in the document. */
export interface JsonPart {
  readonly start: number;
  readonly end: number;
  /** Reason why the part is not read as a tree; null: it can be. */
  readonly refusal: RecordRefusal | null;
}

const MAX_KEY_BYTES = 64;

export class JsonWalk extends EntryLexer {
  constructor(document: Buffer) {
    super(document);
    if (document[0] === 0xef && document[1] === 0xbb && document[2] === 0xbf) this.position = 3;
  }

  /** Keys of the object at the current position. The caller must skip each value before the next key. None for null. */
  *keys(): Generator<string, void> {
    if (this.passNull()) return;
    if (this.peek() !== 0x7b) this.fail('an object');
    this.position++;
    if (this.peek() === 0x7d) {
      this.position++;
      return;
    }
    do {
      yield this.readKey();
    } while (this.hasMore(0x7d, '"," or "}"'));
  }

  /**
   * Enters the array at the current position. @returns whether there is an item, which must be skipped before the next.
   * Null is an empty array.
   */
  openArray(): boolean {
    if (this.passNull()) return false;
    if (this.peek() !== 0x5b) this.fail('an array');
    this.position++;
    if (this.peek() !== 0x5d) return true;
    this.position++;
    return false;
  }

  nextItem(): boolean {
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

  /** @returns null for a value that is too large to be read as a tree: it must be skipped with `passLarge` */
  pass(): JsonPart | null {
    this.peek();
    const start = this.position;
    this.resetFacts();
    if (this.passWithin(MAX_ENTRY_BYTES, MAX_DEPTH - MAX_PART_DEPTH)) {
      return { start, end: this.position, refusal: this.refusalOfPart() };
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

  private refusalOfPart(): RecordRefusal | null {
    if (this.tooDeep) return tooDeep();
    return this.valueCount > MAX_PART_VALUES ? tooManyValues() : null;
  }

  private passNull(): boolean {
    if (this.peek() !== 0x6e) return false;
    this.scanScalar();
    return true;
  }

  /** A key that is longer than all known ones is not decoded. */
  private readKey(): string {
    if (this.peek() !== 0x22) this.fail('a key in double quotes');
    const start = this.position;
    this.scanString();
    const key = this.position - start > MAX_KEY_BYTES ? '' : decodeJsonString(this.document, start, this.position);
    this.expect(0x3a);
    return key;
  }

  private hasMore(closing: number, expected: string): boolean {
    const byte = this.peek();
    if (byte !== 0x2c && byte !== closing) this.fail(expected);
    this.position++;
    return byte === 0x2c;
  }
}

/** Converts a syntax error to the caller's error, with its position in the body. */
export function asBodyError(error: unknown, body: Buffer): unknown {
  if (!(error instanceof JsonSyntaxError)) return error;
  const lineStart = error.offset === 0 ? 0 : body.lastIndexOf(0x0a, error.offset - 1) + 1;
  const column = body.toString('utf8', lineStart, error.offset).length + 1;
  const line = countLines(body, lineStart);
  return new ServiceError('body_invalid', `The request body is not the expected JSON: ${error.message}.`, {
    reason: 'bad_json',
    position: { line, column },
  });
}

function countLines(body: Buffer, end: number): number {
  let line = 1;
  for (let at = body.indexOf(0x0a); at >= 0 && at < end; at = body.indexOf(0x0a, at + 1)) line++;
  return line;
}
