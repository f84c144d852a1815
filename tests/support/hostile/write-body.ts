/** The bytes of a recipe: its parts, written, repeated and compressed. */
import { gzipSync } from 'node:zlib';
import { encodeSnappy } from '../references/snappy';
import { forgeJournalRecord } from './forge-journal-record';
import type { Part, Recipe, Repeat } from './recipe';

/** What texts of a recipe may name as `{{name}}`. */
interface Words {
  /** RFC 3339 with microseconds. */
  readonly time: string;
  readonly seconds: string;
  readonly nanos: string;
  /** Differs from body to body. */
  readonly run: string;
}

export function writeBody({ route, body, gzip, members, cut }: Recipe, nowMs = Date.now()): Buffer {
  const words: Words = {
    time: `${new Date(nowMs).toISOString().slice(0, -1)}457Z`,
    seconds: String(Math.floor(nowMs / 1000)),
    nanos: `${nowMs}457000`,
    run: `${nowMs.toString(36)}${Math.random().toString(36).slice(2, 8)}`,
  };
  let bytes = writeParts(body, words, []);
  if (route === 'loki-protobuf') bytes = encodeSnappy(bytes);
  for (let times = 0; times < gzip; times++) bytes = gzipSync(bytes);
  if (members > 1) bytes = Buffer.alloc(bytes.length * members, bytes);
  return bytes.subarray(0, bytes.length - cut);
}

/** @param indexes of the repeats around the parts, innermost first */
function writeParts(parts: readonly Part[], words: Words, indexes: readonly number[]): Buffer {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return writePart(first, words, indexes);
  return Buffer.concat(parts.map((part) => writePart(part, words, indexes)));
}

function writePart(part: Part, words: Words, indexes: readonly number[]): Buffer {
  if (typeof part === 'string') return Buffer.from(fillIn(part, words, indexes));
  if ('hex' in part) return Buffer.from(part.hex.replaceAll(' ', ''), 'hex');
  if ('field' in part) return lengthDelimited(part.field, writeParts(part.of, words, indexes));
  if ('nested' in part) return nest(part.nested, part.depth, writeParts(part.in, words, indexes));
  if ('filler' in part) return filler(part.filler);
  if ('forged_record' in part) return forgeJournalRecord();
  return writeRepeat(part, words, indexes);
}

function writeRepeat({ repeat, times, between = '' }: Repeat, words: Words, indexes: readonly number[]): Buffer {
  if (times === 0) return Buffer.alloc(0);
  const gap = Buffer.from(between);
  if (!JSON.stringify(repeat).includes('{{i')) {
    const unit = Buffer.concat([writeParts(repeat, words, indexes), gap]);
    return Buffer.alloc(unit.length * times - gap.length, unit);
  }
  const [only] = repeat;
  const numbers = Array.from({ length: times }, (_, index) => index);
  if (repeat.length === 1 && typeof only === 'string')
    return Buffer.from(numbers.map((index) => fillIn(only, words, [index, ...indexes])).join(between));
  const written = numbers.map((index) => writeParts(repeat, words, [index, ...indexes]));
  return Buffer.concat(between === '' ? written : written.flatMap((one, at) => (at === 0 ? [one] : [gap, one])));
}

/** Texts and, at every other place, the names between them. Bodies repeat a text up to a million times. */
const splitTexts = new Map<string, readonly string[]>();

/** `{{i}}` is the number of the repeat around it, `{{ii}}` that of the repeat around this one. */
function fillIn(text: string, words: Words, indexes: readonly number[]): string {
  let pieces = splitTexts.get(text);
  if (pieces === undefined) splitTexts.set(text, (pieces = text.split(/\{\{(\w+)\}\}/)));
  let filled = pieces[0]!;
  for (let at = 1; at < pieces.length; at += 2) filled += valueOf(pieces[at]!, words, indexes) + pieces[at + 1]!;
  return filled;
}

function valueOf(name: string, words: Words, indexes: readonly number[]): string {
  const value = name === 'i' ? indexes[0] : name === 'ii' ? indexes[1] : words[name as keyof Words];
  if (value === undefined) throw new Error(`a recipe names {{${name}}}, which does not exist here`);
  return String(value);
}

/** A field of protobuf with its length. */
function lengthDelimited(field: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(field << 3) | 2]), varint(content.length), content]);
}

/** Messages of the given fields inside one another, outermost first, `depth` times around the content. */
function nest(fields: readonly number[], depth: number, content: Buffer): Buffer {
  // Heads are collected from the inside and written from the outside: wrapping whole buffers would copy them each time.
  const heads: Buffer[] = [];
  let length = content.length;
  for (let level = 0; level < depth; level++) {
    for (const field of [...fields].reverse()) {
      const head = Buffer.concat([Buffer.from([(field << 3) | 2]), varint(length)]);
      heads.push(head);
      length += head.length;
    }
  }
  return Buffer.concat([...heads.reverse(), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}

/** Letters and digits that do not compress, the same each time. */
function filler(bytes: number): Buffer {
  let state = 88_172_645;
  const words = Buffer.allocUnsafe(Math.ceil((bytes * 3) / 4 / 4) * 4);
  for (let at = 0; at < words.length; at += 4) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words.writeInt32LE(state | 0, at);
  }
  return Buffer.from(words.toString('base64url').slice(0, bytes));
}
