/**
 * JSON as a tree that keeps the text of numbers, which `JSON.parse` does not. The slow path for events that the scanner
 * cannot process directly. Of two equal keys the last one wins.
 */
import { JsonLexer } from './json-lexer';
import { type ScalarToken, Token } from './json-token';

export type JsonNode = JsonScalar | JsonArray | JsonObject;

export interface JsonScalar {
  readonly token: ScalarToken;
  /** Decoded text of a string; source text of any other value. */
  readonly text: string;
}

export interface JsonArray {
  readonly token: typeof Token.array;
  readonly items: readonly JsonNode[];
}

export interface JsonObject {
  readonly token: typeof Token.object;
  readonly members: ReadonlyMap<string, JsonNode>;
}

export function jsonString(text: string): JsonScalar {
  return { token: Token.string, text };
}

/** Reads one value that the scanner has already checked: valid JSON, and not too deep. */
export function readJsonTree(buffer: Buffer, start: number, end: number): JsonNode {
  const reader = new TreeReader();
  reader.open(buffer, start, end);
  return reader.read();
}

/** Reads one object that the scanner has already checked. */
export function readJsonObject(buffer: Buffer, start: number, end: number): JsonObject {
  return ensureObject(readJsonTree(buffer, start, end));
}

export function ensureObject(node: JsonNode): JsonObject {
  if (node.token === Token.object) return node;
  throw new TypeError('The JSON value is not an object.');
}

/** Text of a string or number; undefined for any other value. */
export function writtenText(node: JsonNode): string | undefined {
  switch (node.token) {
    case Token.string:
    case Token.integer:
    case Token.float:
    case Token.oddNumber:
      return node.text;
    default:
      return undefined;
  }
}

class TreeReader extends JsonLexer {
  read(): JsonNode {
    switch (this.peek()) {
      case 0x7b:
        return this.readObject();
      case 0x5b:
        return this.readArray();
      default:
        return this.readScalar();
    }
  }

  private readObject(): JsonObject {
    const members = new Map<string, JsonNode>();
    this.position++;
    while (this.peek() !== 0x7d) {
      const key = this.readString();
      this.expect(0x3a);
      members.set(key, this.read());
      if (this.peek() === 0x2c) this.position++;
    }
    this.position++;
    return { token: Token.object, members };
  }

  private readArray(): JsonArray {
    const items: JsonNode[] = [];
    this.position++;
    while (this.peek() !== 0x5d) {
      items.push(this.read());
      if (this.peek() === 0x2c) this.position++;
    }
    this.position++;
    return { token: Token.array, items };
  }

  private readScalar(): JsonScalar {
    if (this.peek() === 0x22) return jsonString(this.readString());
    const start = this.position;
    const token = this.scanScalar();
    return { token, text: this.buffer.toString('latin1', start, this.position) };
  }

  private readString(): string {
    this.peek();
    const start = this.position;
    this.sawEscape = false;
    this.scanString();
    return this.sawEscape
      ? decodeJsonString(this.buffer, start, this.position)
      : this.buffer.toString('utf8', start + 1, this.position - 1);
  }
}

/** Decodes a JSON string with its quotes. Lone surrogate escapes, and NUL, which no store keeps, become U+FFFD. */
export function decodeJsonString(buffer: Buffer, start: number, end: number): string {
  const text = JSON.parse(buffer.toString('utf8', start, end)) as string;
  const whole = text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
  return /[\ud800-\udfff]/.test(whole) ? Buffer.from(whole, 'utf8').toString('utf8') : whole;
}

/** Nesting depth of records. */
export function recordDepth(node: JsonNode): number {
  let deepest = 0;
  if (node.token === Token.object) {
    for (const value of node.members.values()) deepest = Math.max(deepest, recordDepth(value));
    return deepest + 1;
  }
  if (node.token === Token.array) {
    for (const item of node.items) deepest = Math.max(deepest, recordDepth(item));
  }
  return deepest;
}

export function writeJsonTree(node: JsonNode): string {
  switch (node.token) {
    case Token.object: {
      const members: string[] = [];
      for (const [key, value] of node.members) members.push(`${JSON.stringify(key)}:${writeJsonTree(value)}`);
      return `{${members.join(',')}}`;
    }
    case Token.array:
      return `[${node.items.map(writeJsonTree).join(',')}]`;
    case Token.string:
      return JSON.stringify(node.text);
    default:
      return node.text;
  }
}
