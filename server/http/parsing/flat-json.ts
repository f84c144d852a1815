/**
 * Parser for the body of a call: a JSON object of scalars with at most one nested object of scalars. Unlike JSON.parse
 * it reports duplicate names, keeps numbers as written, and gives the position of an error.
 */
import { type Position, ServiceError } from '#contract/errors';
import { parseJsonString } from '#contract/json-string';
import { ensureWellFormed } from './decode-text';
import type { NameValue } from './query-string';

/** Text of a scalar; numbers and booleans as written. */
export interface FlatScalar {
  readonly type: 'text' | 'number' | 'boolean';
  readonly text: string;
}

/** Entries in the order written; a name may occur more than once. */
export type FlatEntries = readonly (readonly [
  name: string,
  value: FlatScalar | readonly (readonly [string, FlatScalar])[],
])[];

/** @param nested the only name whose value may be an object. @throws ServiceError `body_invalid`, `encoding_invalid` */
export function readFlatJson(text: string, nested: string): FlatEntries {
  const reader = new FlatJsonReader(text, nested);
  return reader.readDocument();
}

export function scalarTexts(entries: readonly (readonly [string, FlatScalar])[]): NameValue[] {
  return entries.map(([name, scalar]) => [name, scalar.text]);
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const WORD = /(?:true|false|null)(?!\w)/y;
const BLANKS = /[ \t\r\n]*/y;

/** Of an object. A saved query declares 50 parameters at most. */
const MAX_NAMES = 1000;

const SCALAR = 'text, a number or a boolean';

class FlatJsonReader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly nested: string
  ) {}

  readDocument(): FlatEntries {
    const entries = this.readObject((name) =>
      name === this.nested && this.peek() === '{'
        ? this.readScalars()
        : this.readScalar(name, name === this.nested ? 'an object' : SCALAR)
    );
    this.skipBlanks();
    if (this.at < this.text.length) throw this.syntaxError('the end of the body');
    return entries;
  }

  private readScalars(): [string, FlatScalar][] {
    return this.readObject((name) => this.readScalar(name));
  }

  private readObject<T>(readValue: (name: string) => T): [string, T][] {
    const entries: [string, T][] = [];
    this.expect('{');
    if (this.peek() === '}') {
      this.at += 1;
      return entries;
    }
    for (;;) {
      this.skipBlanks();
      if (entries.length === MAX_NAMES)
        throw new ServiceError('body_invalid', `An object of the request body has more than ${MAX_NAMES} names.`, {
          max: MAX_NAMES,
        });
      const name = this.readString('a name in double quotes');
      this.expect(':');
      this.skipBlanks();
      entries.push([name, readValue(name)]);
      if (this.peek() !== ',') break;
      this.at += 1;
    }
    this.expect('}');
    return entries;
  }

  /** @param expected what the value must be, for the error of a list, an object and null */
  private readScalar(name: string, expected = SCALAR): FlatScalar {
    const first = this.peek();
    if (first === '"') return { type: 'text', text: this.readString('text') };
    const number = this.match(NUMBER);
    if (number !== undefined) return { type: 'number', text: number };
    const start = this.at;
    const word = this.match(WORD);
    if (word === 'true' || word === 'false') return { type: 'boolean', text: word };
    if (word === 'null' || first === '{' || first === '[') {
      this.at = start;
      throw this.errorHere(`The value of "${name.slice(0, 64)}" must be ${expected}.`);
    }
    throw this.syntaxError('a value');
  }

  private readString(what: string): string {
    if (this.text[this.at] !== '"') throw this.syntaxError(what);
    const end = this.endOfString();
    try {
      const value = parseJsonString(this.text.slice(this.at, end));
      this.at = end;
      return ensureWellFormed(value, 'The request body');
    } catch (error) {
      if (error instanceof SyntaxError) throw this.syntaxError(what);
      throw error;
    }
  }

  /** Offset after the closing quote, or the end of the body. */
  private endOfString(): number {
    let at = this.at + 1;
    while (at < this.text.length && this.text[at] !== '"') at += this.text[at] === '\\' ? 2 : 1;
    return at + 1;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  private peek(): string | undefined {
    this.skipBlanks();
    return this.text[this.at];
  }

  private skipBlanks(): void {
    this.match(BLANKS);
  }

  private expect(char: string): void {
    if (this.peek() !== char) throw this.syntaxError(`"${char}"`);
    this.at += 1;
  }

  private syntaxError(expected: string): ServiceError {
    return this.errorHere(`The request body is not the expected JSON object: ${expected} should stand here.`);
  }

  private errorHere(message: string): ServiceError {
    return new ServiceError('body_invalid', message, { position: this.position() });
  }

  private position(): Position {
    const before = this.text.slice(0, this.at).split('\n');
    return { line: before.length, column: before[before.length - 1]!.length + 1 };
  }
}
