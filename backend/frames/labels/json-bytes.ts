/**
 * Finds the ends of values in JSON text encoded as UTF-8. A 0 byte after the text, which JSON never contains, stops
 * every search.
 */

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_RECORD = 0x7b;
export const CLOSE_RECORD = 0x7d;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const FIRST_PLAIN = 0x20;
/** Result of an unsuccessful search. */
export const NOWHERE = -1;

const SIMPLE_ESCAPES: ReadonlySet<number> = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));
const UNICODE_ESCAPE = 0x75;
const WORDS = ['true', 'false', 'null'].map((word) => Uint8Array.from(word, (character) => character.charCodeAt(0)));

/** @param start of the opening quote @returns the offset after the closing one, or `NOWHERE` */
export function stringEnd(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; ; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) return at + 1;
    if (byte < FIRST_PLAIN) return NOWHERE;
    if (byte !== BACKSLASH) continue;
    at = escapeEnd(bytes, at + 1);
    if (at === NOWHERE) return NOWHERE;
  }
}

/** @param at of the character after the backslash @returns the offset of the escape's last character, or `NOWHERE` */
function escapeEnd(bytes: Uint8Array, at: number): number {
  const kind = bytes[at] as number;
  if (SIMPLE_ESCAPES.has(kind)) return at;
  if (kind !== UNICODE_ESCAPE) return NOWHERE;
  for (let digit = 1; digit <= 4; digit++) if (!isHexDigit(bytes[at + digit] as number)) return NOWHERE;
  return at + 4;
}

function isHexDigit(byte: number): boolean {
  const small = byte | 0x20;
  return isDigit(byte) || (small >= 0x61 && small <= 0x66);
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

/** @returns the offset after a number, `true`, `false` or `null`, or `NOWHERE` */
export function scalarEnd(bytes: Uint8Array, start: number): number {
  const first = bytes[start] as number;
  if (first === MINUS || isDigit(first)) return numberEnd(bytes, start);
  for (const word of WORDS) if (hasAt(bytes, start, word)) return start + word.length;
  return NOWHERE;
}

function numberEnd(bytes: Uint8Array, start: number): number {
  let at = digitsEnd(bytes, bytes[start] === MINUS ? start + 1 : start);
  if (at !== NOWHERE && bytes[at] === DOT) at = digitsEnd(bytes, at + 1);
  if (at === NOWHERE || ((bytes[at] as number) | 0x20) !== 0x65) return at;
  const sign = bytes[at + 1] as number;
  return digitsEnd(bytes, sign === MINUS || sign === PLUS ? at + 2 : at + 1);
}

/** Requires at least one digit. */
function digitsEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes[at] as number)) at++;
  return at === start ? NOWHERE : at;
}

export function hasAt(bytes: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let at = 0; at < wanted.length; at++) if (bytes[start + at] !== wanted[at]) return false;
  return true;
}
