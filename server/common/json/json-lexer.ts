/**
 * Reads JSON (RFC 8259) byte by byte from a buffer that is known to be UTF-8, without building values. Subclasses
 * process the values; all of them share one grammar, so they agree on what is valid.
 */
import { type ScalarToken, Token } from './json-token';

/**
 * Syntax error in JSON text, at the byte `offset`. Not an Error: a batch may contain 100,000 invalid lines, and each
 * stack trace costs time.
 */
export class JsonSyntaxError {
  readonly message: string;
  readonly offset: number;

  constructor(message: string, offset: number) {
    this.message = message;
    this.offset = offset;
  }
}

/** Maximum nesting of objects and arrays, counted from the depth that the caller gives. */
export const MAX_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** 1 for bytes that a string may contain unescaped. */
const PLAIN_IN_STRING = new Uint8Array(256).fill(1, 0x20);
PLAIN_IN_STRING[QUOTE] = 0;
PLAIN_IN_STRING[BACKSLASH] = 0;

/** Digits of a whole number that always fits INT64. */
const SAFE_INTEGER_DIGITS = 18;
const INT64_MAX = 9_223_372_036_854_775_807n;
const INT64_MIN = -9_223_372_036_854_775_808n;

export class JsonLexer {
  protected buffer: Buffer = Buffer.alloc(0);
  protected end = 0;
  /** Offset of the next byte to read. */
  position = 0;

  /** Facts about the text that was read since `resetFacts()`. */
  sawEscape = false;
  sawSpace = false;
  sawNul = false;
  /** A `\ud800`-like escape without its second half: valid JSON, but not valid Unicode. */
  sawLoneSurrogate = false;
  tooDeep = false;
  /** Number of values of any kind and at any depth. */
  valueCount = 0;

  open(buffer: Buffer, start: number, end: number): void {
    this.buffer = buffer;
    this.position = start;
    this.end = end;
  }

  protected resetFacts(): void {
    this.sawEscape = false;
    this.sawSpace = false;
    this.sawNul = false;
    this.sawLoneSurrogate = false;
    this.tooDeep = false;
    this.valueCount = 0;
  }

  /** The next byte that is not white space, or 0 at the end. It is not consumed. */
  peek(): number {
    const { buffer, end } = this;
    let at = this.position;
    if (at < end && buffer[at]! > 0x20) return buffer[at]!;
    while (at < end) {
      const byte = buffer[at]!;
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
      at++;
    }
    if (at !== this.position) this.sawSpace = true;
    this.position = at;
    return at < end ? buffer[at]! : 0;
  }

  fail(expected: string): never {
    const found = this.position >= this.end ? 'the end of the text' : 'something else';
    throw new JsonSyntaxError(`expected ${expected} but found ${found}`, this.position);
  }

  expect(byte: number): void {
    if (this.peek() !== byte) this.fail(`"${String.fromCharCode(byte)}"`);
    this.position++;
  }

  /** Skips these bytes if they are next, and does not move otherwise. */
  skipText(text: Uint8Array): boolean {
    const { buffer, position } = this;
    const { length } = text;
    if (position + length > this.end) return false;
    for (let i = 0; i < length; i++) {
      if (buffer[position + i] !== text[i]) return false;
    }
    this.position = position + length;
    return true;
  }

  /** Reads a string that starts at the current position with its opening quote. */
  scanString(): void {
    const { buffer, end } = this;
    let at = this.position + 1;
    for (;;) {
      while (at < end && PLAIN_IN_STRING[buffer[at]!] === 1) at++;
      if (at >= end) throw new JsonSyntaxError('unterminated string', at);
      const byte = buffer[at]!;
      if (byte === QUOTE) break;
      if (byte !== BACKSLASH) throw new JsonSyntaxError('control character in a string', at);
      at = this.scanEscape(at);
    }
    this.position = at + 1;
  }

  private scanEscape(at: number): number {
    this.sawEscape = true;
    switch (this.buffer[at + 1]) {
      case 0x22: // "
      case 0x5c: // \
      case 0x2f: // /
      case 0x62: // b
      case 0x66: // f
      case 0x6e: // n
      case 0x72: // r
      case 0x74: // t
        if (at + 1 >= this.end) break;
        return at + 2;
      case 0x75: // u
        return this.scanUnicodeEscape(at);
      default:
        break;
    }
    throw new JsonSyntaxError('unknown escape in a string', at);
  }

  private scanUnicodeEscape(at: number): number {
    const unit = this.hexUnit(at + 2);
    if (unit === 0) this.sawNul = true;
    if (unit < 0xd800 || unit > 0xdfff) return at + 6;
    const isPair =
      unit < 0xdc00 && at + 7 < this.end && this.buffer[at + 6] === BACKSLASH && this.buffer[at + 7] === 0x75;
    if (isPair) {
      const low = this.hexUnit(at + 8);
      if (low >= 0xdc00 && low <= 0xdfff) return at + 12;
    }
    this.sawLoneSurrogate = true;
    return at + 6;
  }

  private hexUnit(at: number): number {
    let unit = 0;
    for (let i = at; i < at + 4; i++) {
      const digit = i < this.end ? hexValue(this.buffer[i]!) : -1;
      if (digit < 0) throw new JsonSyntaxError('malformed \\u escape in a string', i);
      unit = unit * 16 + digit;
    }
    return unit;
  }

  /** Reads a value that is neither an object nor an array. */
  scanScalar(): ScalarToken {
    this.valueCount++;
    switch (this.peek()) {
      case QUOTE:
        this.scanString();
        return Token.string;
      case 0x74: // t
        return this.scanWord('true', Token.true);
      case 0x66: // f
        return this.scanWord('false', Token.false);
      case 0x6e: // n
        return this.scanWord('null', Token.null);
      default:
        return this.scanNumber();
    }
  }

  private scanWord(word: string, token: ScalarToken): ScalarToken {
    const start = this.position;
    for (let i = 0; i < word.length; i++) {
      if (start + i >= this.end || this.buffer[start + i] !== word.charCodeAt(i)) this.fail('a value');
    }
    this.position = start + word.length;
    return token;
  }

  private scanNumber(): ScalarToken {
    const { buffer, end } = this;
    const start = this.position;
    let at = start;
    if (at < end && buffer[at] === 0x2d) at++;
    const digitsStart = at;
    at = this.skipDigits(at);
    const digits = at - digitsStart;
    if (digits === 0) this.fail('a value');
    if (digits > 1 && buffer[digitsStart] === 0x30) throw new JsonSyntaxError('a number starts with 0', digitsStart);
    let isWhole = true;
    if (at < end && buffer[at] === 0x2e) {
      const fraction = at + 1;
      at = this.skipDigits(fraction);
      if (at === fraction) throw new JsonSyntaxError('expected a digit after the decimal point', at);
      isWhole = false;
    }
    let exponentDigits = 0;
    if (at < end && (buffer[at]! | 0x20) === 0x65) {
      at++;
      if (at < end && (buffer[at] === 0x2b || buffer[at] === 0x2d)) at++;
      const exponent = at;
      at = this.skipDigits(exponent);
      exponentDigits = at - exponent;
      if (exponentDigits === 0) throw new JsonSyntaxError('expected a digit in the exponent', at);
      isWhole = false;
    }
    this.position = at;
    if (!isWhole) return exponentDigits <= 2 && at - start <= 100 ? Token.float : Token.oddNumber;
    if (digits <= SAFE_INTEGER_DIGITS) {
      return digitsStart > start && buffer[digitsStart] === 0x30 ? Token.oddNumber : Token.integer;
    }
    return digits === SAFE_INTEGER_DIGITS + 1 && isInt64(buffer.toString('latin1', start, at))
      ? Token.integer
      : Token.oddNumber;
  }

  private skipDigits(at: number): number {
    const { buffer, end } = this;
    while (at < end && buffer[at]! >= 0x30 && buffer[at]! <= 0x39) at++;
    return at;
  }

  /**
   * Checks and skips any value. Uses its own stack, so no nesting overflows the call stack; nesting beyond the limit
   * sets `tooDeep`.
   * @param depth of the value itself.
   */
  skipValue(depth: number): Token {
    const first = this.peek();
    if (first !== 0x7b && first !== 0x5b) return this.scanScalar();
    const open: number[] = [];
    for (;;) {
      const byte = this.peek();
      if (byte === 0x7b || byte === 0x5b) {
        this.position++;
        this.valueCount++;
        open.push(byte);
        if (depth + open.length > MAX_DEPTH) this.tooDeep = true;
        if (this.peek() !== (byte === 0x7b ? 0x7d : 0x5d)) {
          if (byte === 0x7b) this.scanKey();
          continue;
        }
      } else {
        this.scanScalar();
      }
      if (!this.closeOrContinue(open)) return first === 0x7b ? Token.object : Token.array;
    }
  }

  /** Closes the arrays and objects that end after a value. @returns false when none is open any more. */
  private closeOrContinue(open: number[]): boolean {
    while (open.length > 0) {
      const isObject = open[open.length - 1] === 0x7b;
      const byte = this.peek();
      if (byte === 0x2c) {
        this.position++;
        if (isObject) this.scanKey();
        return true;
      }
      if (byte !== (isObject ? 0x7d : 0x5d)) this.fail(isObject ? '"," or "}"' : '"," or "]"');
      this.position++;
      open.pop();
    }
    return false;
  }

  private scanKey(): void {
    if (this.peek() !== QUOTE) this.fail('a key in double quotes');
    this.scanString();
    this.expect(0x3a);
  }
}

function hexValue(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}

function isInt64(text: string): boolean {
  const value = BigInt(text);
  return value >= INT64_MIN && value <= INT64_MAX;
}
