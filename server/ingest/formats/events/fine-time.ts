/** Detects entries with their own timestamp, finer than a second: such an event does not occur twice by chance. */
import { JsonSyntaxError } from '../../../common/json/json-lexer';
import { plainNumber } from '../../../common/json/plain-number';
import { JsonWalk } from '../json/json-walk';

const KEY = Buffer.from('"timestamp"');
/** Longer texts are not timestamps. */
const MAX_TIME_BYTES = 64;

/** Bytes that are searched ahead: a search of a whole body takes 50 ms for 60 MB. */
const AHEAD_BYTES = 256 * 1024;

/** Searches the entries of one body, in their order. */
export class FineTimeFinder {
  private readonly body: Buffer;
  /** Offset of the next key; null: not found before `searchedTo`. */
  private next: number | null = null;
  private searchedTo = 0;

  constructor(body: Buffer) {
    this.body = body;
  }

  /** @param start not before the end of the previous entry @param end after a bounded number of bytes */
  isIn(start: number, end: number): boolean {
    let isFine = false;
    for (let at = this.find(start, end); !isFine && at !== null; at = this.find(at + KEY.length, end))
      isFine = isFineTime(valueText(this.body, at + KEY.length, end));
    // A field in metadata may have the same name, so the match is checked.
    return isFine && hasFineTime(this.body.subarray(start, end));
  }

  /** Offset of the first key from `from` on that begins before `end`. */
  private find(from: number, end: number): number | null {
    if (this.next !== null && this.next < from) this.next = null;
    while (this.next === null && Math.max(this.searchedTo, from) < end) {
      const start = Math.max(this.searchedTo, from);
      const to = Math.max(end, start + AHEAD_BYTES);
      const found = this.body.subarray(start, to + KEY.length - 1).indexOf(KEY);
      this.next = found < 0 ? null : start + found;
      this.searchedTo = found < 0 ? to : start + found + KEY.length;
    }
    return this.next !== null && this.next < end ? this.next : null;
  }
}

function hasFineTime(entry: Buffer): boolean {
  try {
    const walk = new JsonWalk(entry);
    for (const key of walk.keys()) {
      const part = walk.pass();
      // The entry is too large and will be rejected.
      if (part === null) return false;
      if (key === 'timestamp') return isFineTime(scalarText(entry, part.start, part.end));
    }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  return false;
}

function valueText(body: Buffer, from: number, end: number): string {
  const text = body.toString('latin1', from, Math.min(end, from + MAX_TIME_BYTES + 8));
  return /^\s*:\s*("[^"\\]*"|[-+.\deE]+)/.exec(text)?.[1]?.replaceAll('"', '') ?? '';
}

function scalarText(entry: Buffer, start: number, end: number): string {
  return end - start > MAX_TIME_BYTES ? '' : entry.toString('latin1', start, end).replaceAll('"', '');
}

/** @param text ISO 8601, or a number since 1970 whose unit follows from its size, as the stores parse it */
export function isFineTime(text: string): boolean {
  const plain = plainNumber(text);
  if (/^[^.,]*\d[.,]\d*[1-9]/.test(plain)) return true;
  const digits = /^-?(\d{12,19})(?:\.0+)?$/.exec(plain)?.[1];
  if (digits === undefined) return false;
  const places = digits.length <= 14 ? 3 : digits.length <= 17 ? 6 : 9;
  return /[1-9]/.test(digits.slice(-places));
}
