/**
 * Writes labels of log lines as JSON, copied bytewise from the text of nested records: `[{"request":{"path":"/a"}}]`
 * becomes `{"request.path":"/a"}`. Arrays of one are wrapped records and add nothing to the path; indexes of longer
 * arrays do. Nulls and empty texts are omitted. Only wanted values become strings, because a thousand lines have a
 * megabyte of labels.
 */
import { parseJsonString } from '#contract/json-string';
import { RECORD_COLUMN } from '../read-result';
import { ByteWriter } from './byte-writer';
import {
  CLOSE_LIST,
  CLOSE_RECORD,
  COLON,
  COMMA,
  hasAt,
  NOWHERE,
  OPEN_LIST,
  OPEN_RECORD,
  QUOTE,
  scalarEnd,
  stringEnd,
} from './json-bytes';
import { LabelKey } from './label-key';

type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** Maximum number of labels of one record. */
const MAX_LABELS = 300;
/** Deeper values become one label with their JSON text. */
const MAX_DEPTH = 100;
/** Maximum number of longer lists in a record: each is read twice, and one inside another four times. */
const MAX_RESCANS = 16;
const NULL = 0x6e;
const BACKSLASH = 0x5c;
const decoder = new TextDecoder();

export class LabelWriter {
  private readonly out: ByteWriter;
  private readonly root: LabelKey;
  private readonly offsets: number[] = [0];
  private kept: { readonly path: string; readonly value: string }[] = [];
  private lineStart = 0;
  private room = 0;
  private rescans = 0;
  /** The current record, followed by a 0 byte. */
  private json = new Uint8Array(4096);
  /** Label of a value that is not an object. */
  private own: LabelKey;

  /**
   * @param wanted labels whose values `end` returns
   * @param expectedBytes size of all lines
   */
  constructor(wanted: ReadonlySet<string>, expectedBytes = 0) {
    this.root = new LabelKey('', wanted);
    this.own = this.root;
    this.out = new ByteWriter(expectedBytes);
  }

  begin(): void {
    this.lineStart = this.out.length;
    this.out.byte(OPEN_RECORD);
    this.kept = [];
  }

  /** @returns the values of the line's wanted labels, and the line as JSON; the bytes are valid until the next line */
  end(): { readonly kept: Readonly<Record<string, string>>; readonly json: Uint8Array } {
    this.out.byte(CLOSE_RECORD);
    this.offsets.push(this.out.length);
    return {
      kept: Object.fromEntries(this.kept.map(({ path, value }) => [path, value])),
      json: this.out.view(this.lineStart),
    };
  }

  /** All lines, each a JSON object, as the buffers of an Arrow column. */
  buffers(): { readonly valueOffsets: Int32Array; readonly data: Uint8Array } {
    return { valueOffsets: Int32Array.from(this.offsets), data: this.out.view() };
  }

  add(name: string, value: string): void {
    this.room = 1;
    this.writeText(this.root.child(name), value);
  }

  /**
   * Labels of the column `metadata` are named by its fields, those of other columns by the column and its fields.
   *
   * @param name of the column, used as the label of a value that is not a record or not JSON
   * @param json UTF-8
   */
  addRecord(name: string, json: Uint8Array): void {
    this.own = this.root.child(name);
    const key = name === RECORD_COLUMN ? this.root : this.own;
    this.rescans = MAX_RESCANS;
    this.load(json);
    const { length } = this.out;
    const kept = this.kept.length;
    this.room = MAX_LABELS;
    if (this.read(0, key, 0) === json.length) return;
    this.rewind(length, kept, MAX_LABELS);
    const text = decoder.decode(json);
    if (this.addParsed(text, key)) return;
    this.rewind(length, kept, 1);
    this.writeText(this.own, text);
  }

  private load(json: Uint8Array): void {
    if (this.json.length <= json.length) this.json = new Uint8Array(json.length * 2);
    this.json.set(json);
    this.json[json.length] = 0;
  }

  /**
   * Slow path for rare texts: white space, escapes in names, deeply nested lists. @returns whether the text is JSON of
   * ordinary depth
   */
  private addParsed(text: string, key: LabelKey): boolean {
    try {
      return this.visit(JSON.parse(text) as JsonValue, key, 0);
    } catch {
      return false;
    }
  }

  private visit(value: JsonValue, key: LabelKey, depth: number): boolean {
    if (value === null || value === '') return true;
    if (typeof value !== 'object') {
      this.writeText(key, String(value));
      return true;
    }
    if (depth === MAX_DEPTH) return false;
    if (Array.isArray(value) && value.length === 1) return this.visit(value[0] ?? null, key, depth + 1);
    const members: [string | number, JsonValue][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    return members.every(([name, inner]) => this.visit(inner, key.child(name), depth + 1));
  }

  /**
   * Writes the labels of the value at this offset. @returns the offset after it; `NOWHERE` when `addParsed` must read
   * it
   */
  private read(at: number, key: LabelKey, depth: number): number {
    switch (this.json[at]) {
      case QUOTE: {
        const end = stringEnd(this.json, at);
        if (end > at + 2) this.write(key, at, end);
        return end;
      }
      case OPEN_RECORD:
        return depth === MAX_DEPTH ? NOWHERE : this.readRecord(at, key, depth + 1);
      case OPEN_LIST:
        return depth === MAX_DEPTH ? NOWHERE : this.readList(at, key, depth + 1);
      default: {
        const end = scalarEnd(this.json, at);
        if (end !== NOWHERE && this.json[at] !== NULL) this.writeQuoted(key, at, end);
        return end;
      }
    }
  }

  private readRecord(start: number, key: LabelKey, depth: number): number {
    const { json } = this;
    let at = start + 1;
    if (json[at] === CLOSE_RECORD) return at + 1;
    let before: LabelKey | undefined;
    for (;;) {
      const expected = before === undefined ? key.firstMember : before.nextMember;
      const member = json[at] === QUOTE ? this.memberAt(at + 1, key, expected) : undefined;
      if (member === undefined) return NOWHERE;
      if (before === undefined) key.firstMember = member;
      else before.nextMember = member;
      before = member;
      at = this.read(at + 1 + member.head.length, member, depth);
      if (at === NOWHERE) return NOWHERE;
      const next = json[at++];
      if (next === CLOSE_RECORD) return at;
      if (next !== COMMA) return NOWHERE;
    }
  }

  /** @param start of the name, after its quote @returns undefined for a name with escapes, or if there is no name */
  private memberAt(start: number, key: LabelKey, expected: LabelKey | undefined): LabelKey | undefined {
    const { json } = this;
    if (expected !== undefined && hasAt(json, start, expected.head)) return expected;
    const end = stringEnd(json, start - 1);
    if (end === NOWHERE || json[end] !== COLON) return undefined;
    const name = json.subarray(start, end - 1);
    return name.includes(BACKSLASH) ? undefined : key.child(decoder.decode(name));
  }

  /** Writes a list of one item as the item itself. The number of items is known only after the first one. */
  private readList(start: number, key: LabelKey, depth: number): number {
    const { json, room } = this;
    if (json[start + 1] === CLOSE_LIST) return start + 2;
    const { length } = this.out;
    const kept = this.kept.length;
    const end = this.read(start + 1, key, depth);
    if (end === NOWHERE) return NOWHERE;
    if (json[end] === CLOSE_LIST) return end + 1;
    if (this.rescans-- === 0) return NOWHERE;
    this.rewind(length, kept, room);
    let at = start;
    for (let index = 0; ; index++) {
      at = this.read(at + 1, key.child(index), depth);
      if (at === NOWHERE || json[at] === CLOSE_LIST) return at === NOWHERE ? at : at + 1;
      if (json[at] !== COMMA) return NOWHERE;
    }
  }

  private writeText(key: LabelKey, text: string): void {
    const label = this.writeName(key);
    if (label === undefined) return;
    this.out.text(JSON.stringify(text));
    if (label.isWanted) this.keep(label, text);
  }

  /** Writes a value that has its quotes. */
  private write(key: LabelKey, start: number, end: number): void {
    const label = this.writeName(key);
    if (label === undefined) return;
    this.out.copy(this.json, start, end);
    if (label.isWanted) this.keep(label, parseJsonString(this.text(start, end)));
  }

  /** Writes a value and adds quotes. */
  private writeQuoted(key: LabelKey, start: number, end: number): void {
    const label = this.writeName(key);
    if (label === undefined) return;
    this.out.byte(QUOTE);
    this.out.copy(this.json, start, end);
    this.out.byte(QUOTE);
    if (label.isWanted) this.keep(label, this.text(start, end));
  }

  /** @returns undefined when the record has reached its maximum number of labels */
  private writeName(key: LabelKey): LabelKey | undefined {
    if (this.room-- <= 0) return undefined;
    const label = key.isTop ? this.own : key;
    const isFirst = this.out.length === this.lineStart + 1;
    this.out.copy(label.written, isFirst ? 1 : 0, label.written.length);
    return label;
  }

  private keep({ path }: LabelKey, value: string): void {
    this.kept.push({ path, value });
  }

  private text(start: number, end: number): string {
    return decoder.decode(this.json.subarray(start, end));
  }

  private rewind(length: number, kept: number, room: number): void {
    this.out.truncate(length);
    this.kept.length = kept;
    this.room = room;
  }
}
