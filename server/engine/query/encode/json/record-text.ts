/**
 * Converts records from the store's JSON text (a record is an object) to that of the data model (a record is an array
 * of one). Works in one linear pass without parsing, so numbers keep all their digits.
 */
import { isSafeDigits } from '../number-text';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/** Kind of an open container. An object directly inside an array is an element and is not wrapped. */
type Container = 'array' | 'object' | 'wrapped object';

/**
 * Wraps each object that is a value of an object as an array of one; with `single` the outermost object too. Objects
 * that are array elements stay. Integers beyond ±(2^53-1) become strings.
 * @param text valid JSON text, as written by ingestion
 */
export function wrapRecordText(text: string, single: boolean): string {
  const open: Container[] = [];
  let out = '';
  let copied = 0;
  let at = 0;

  const insert = (mark: string, before: number): void => {
    out += text.slice(copied, before) + mark;
    copied = before;
  };

  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at);
      continue;
    }
    if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const start = at;
      at = numberEnd(text, at);
      if (isUnsafeInteger(text, start, at)) {
        insert('"', start);
        insert('"', at);
      }
      continue;
    }
    if (code === OPEN_BRACE) {
      const isWrapped = open.length === 0 ? single : open.at(-1) !== 'array';
      if (isWrapped) insert('[', at);
      open.push(isWrapped ? 'wrapped object' : 'object');
    } else if (code === OPEN_BRACKET) {
      open.push('array');
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (open.pop() === 'wrapped object') insert(']', at + 1);
    }
    at += 1;
  }
  return copied === 0 ? text : out + text.slice(copied);
}

/** Encodes RECORD_TEXT as JSON. An absent record is `[]` with `single`, else null. */
export function recordJson(text: string | null, single: boolean): string {
  if (text === null || text === 'null') return single ? '[]' : 'null';
  return wrapRecordText(text, single);
}

/** @returns the index after the closing quote of the string that opens at `start`. */
function stringEnd(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

/** Whether an odd number of backslashes precedes the quote. Counting stops at the opening quote. */
function isEscaped(text: string, quote: number): boolean {
  let before = quote - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (quote - before) % 2 === 0;
}

function numberEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && isNumberPart(text.charCodeAt(at))) at += 1;
  return at;
}

/** Digits, `.`, `e`, `E`, `+`, `-`. */
function isNumberPart(code: number): boolean {
  return (
    (code >= ZERO && code <= NINE) || code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === MINUS
  );
}

function isUnsafeInteger(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start) === MINUS ? start + 1 : start;
  if (end - first < 16) return false;
  const digits = text.slice(first, end);
  return /^\d+$/.test(digits) && !isSafeDigits(digits);
}
