/**
 * Finds the ends of entries in a JSON document. An entry that is too long to be stored is skipped in turns, without
 * parsing its values.
 */
import { JsonLexer, JsonSyntaxError } from '../../../common/json/json-lexer';

/** Bytes of an oversized entry that are skipped in one turn. */
const TURN_BYTES = 1024 * 1024;
/** Maximum distance from the end in bytes at which a truncated escape fails. */
const LONGEST_TOKEN_TAIL = 12;

export class EntryLexer extends JsonLexer {
  protected readonly document: Buffer;

  constructor(document: Buffer) {
    super();
    this.document = document;
    this.open(document, 0, document.length);
  }

  /**
   * @param depth of the value @returns false when the value is longer; the position is undefined then. @throws
   * JsonSyntaxError
   */
  passWithin(maxBytes: number, depth = 0): boolean {
    const { document } = this;
    const end = Math.min(document.length, this.position + maxBytes);
    const isCut = end < document.length;
    this.open(document, this.position, end);
    try {
      this.skipValue(depth);
      return !isCut || this.position < end;
    } catch (error) {
      const isBehind = error instanceof JsonSyntaxError && isCut && error.offset >= end - LONGEST_TOKEN_TAIL;
      if (!isBehind) throw error;
      return false;
    } finally {
      this.open(document, this.position, document.length);
    }
  }

  /** True at white space, which `passBlanks` should skip and not `peek`. */
  get isAtBlank(): boolean {
    return this.position < this.document.length && this.document[this.position]! <= 0x20;
  }

  /** Skips white space in turns: a body may have megabytes of it. */
  *passBlanks(): Generator<null, void> {
    const { document } = this;
    for (;;) {
      this.open(document, this.position, Math.min(document.length, this.position + TURN_BYTES));
      this.peek();
      const isOver = this.position < this.end || this.end === document.length;
      this.open(document, this.position, document.length);
      if (isOver) return;
      yield null;
    }
  }

  /** Called after an item; consumes the comma or bracket after it. @throws JsonSyntaxError */
  hasMoreItems(): boolean {
    const byte = this.peek();
    if (byte !== 0x2c && byte !== 0x5d) this.fail('"," or "]"');
    this.position++;
    return byte === 0x2c;
  }

  /**
   * Skips the entry that starts at an offset, in turns. Follows brackets and strings only.
   *
   * @param isAlone the entry is an object or array that ends with its own bracket; otherwise an item of an array
   * @throws JsonSyntaxError
   */
  *passOversized(start: number, isAlone = false): Generator<null, void> {
    const { document } = this;
    let depth = 0;
    let isInString = false;
    let at = start;
    for (let turnEnd = at + TURN_BYTES; at < document.length; at++) {
      if (at >= turnEnd) {
        turnEnd = at + TURN_BYTES;
        yield null;
      }
      const byte = document[at]!;
      if (isInString) {
        if (byte === 0x5c) at++;
        else if (byte === 0x22) isInString = false;
        continue;
      }
      if (byte === 0x22) isInString = true;
      else if (byte === 0x7b || byte === 0x5b) depth++;
      else if (byte === 0x7d || byte === 0x5d) {
        if (depth === 0) break;
        depth--;
        if (isAlone && depth === 0) {
          this.position = at + 1;
          return;
        }
      } else if (byte === 0x2c && depth === 0) break;
    }
    this.position = at;
    if (at >= document.length) this.fail('the end of the entry');
  }
}
