/** Reads the labels of a stream as text: `{job="proxy", path="/var/log/a.log"}`, with values as Go quotes them. */
import { MAX_ENTRY_VALUES } from '#contract/events/source';
import { type JsonScalar, jsonString } from '../../../common/json/json-tree';
import { tooManyValues } from '../record-refusal';
import { wrong } from './push-entry';

/** @throws ServiceError `body_invalid`, RecordRefusal */
export function readLabels(text: string): Map<string, JsonScalar> {
  return text === '' ? new Map<string, JsonScalar>() : new LabelReader(text).read();
}

class LabelReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  read(): Map<string, JsonScalar> {
    const labels = new Map<string, JsonScalar>();
    this.expect('{');
    while (!this.skips('}')) {
      if (labels.size > 0) this.expect(',');
      if (labels.size > 0 && this.skips('}')) break;
      const name = this.peek() === '"' ? this.quoted() : this.name();
      this.expect('=');
      labels.set(name, jsonString(this.quoted()));
      if (labels.size > MAX_ENTRY_VALUES) throw tooManyValues();
    }
    if (this.peek() !== '') throw this.fail();
    return labels;
  }

  /** The next character that is not white space; empty at the end. */
  private peek(): string {
    while (this.at < this.text.length && BLANKS.has(this.text[this.at]!)) this.at++;
    return this.text[this.at] ?? '';
  }

  private skips(character: string): boolean {
    if (this.peek() !== character) return false;
    this.at++;
    return true;
  }

  private expect(character: string): void {
    if (!this.skips(character)) throw this.fail();
  }

  private name(): string {
    NAME.lastIndex = this.at;
    const name = NAME.exec(this.text)?.[0];
    if (name === undefined) throw this.fail();
    this.at += name.length;
    return name;
  }

  private quoted(): string {
    this.expect('"');
    const parts: string[] = [];
    for (let start = this.at; ;) {
      const character = this.text[this.at];
      if (character === undefined) throw this.fail();
      if (character !== '"' && character !== '\\') {
        this.at++;
        continue;
      }
      parts.push(this.text.slice(start, this.at++));
      if (character === '"') return parts.join('');
      parts.push(this.escape());
      start = this.at;
    }
  }

  private escape(): string {
    const letter = this.text[this.at++] ?? '';
    const plain = ESCAPES.get(letter);
    if (plain !== undefined) return plain;
    const digits = HEX_DIGITS.get(letter);
    const hex = digits === undefined ? '' : this.text.slice(this.at, this.at + digits);
    if (digits === undefined || !/^[0-9a-f]+$/i.test(hex) || hex.length < digits) throw this.fail();
    this.at += digits;
    const code = parseInt(hex, 16);
    // Go writes \x for bytes that are not UTF-8.
    const isText = letter === 'x' ? code < 0x80 : code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isText ? String.fromCodePoint(code) : '\ufffd';
  }

  private fail(): Error {
    return wrong('labels', `names and quoted values in braces, which they are not at character ${this.at + 1}`);
  }
}

const BLANKS: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r']);
const NAME = /[^\s=,{}"\\]+/y;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ["'", "'"],
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
]);

const HEX_DIGITS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);
