/**
 * Structured data of RFC 5424: `[id name="value" ...][...]`. Where no element has a parameter it is left in the text:
 * senders that leave structured data out have texts like "[error] ...".
 */
import type { StructuredData } from './message';

export interface ReadStructuredData {
  readonly data: StructuredData;
  /** Offset in the text of the first character after it. */
  readonly end: number;
}

/** More than that are left in the text: an event of the store has a limit of values, and beyond it is refused. */
const MAX_PARAMETERS = 1000;

const ELEMENT = /\[([^\s="\]]{1,255})/y;
const NAME = / +([^\s="\]]{1,255})="/y;
/** A value to its closing quote, with its escapes. */
const VALUE = /((?:[^"\\\]]|\\[^])*)"/y;
const ESCAPES = /\\(["\\\]])/g;

/** @returns null when the text at `start` is no structured data, whose elements begin with "[" */
export function readStructuredData(text: string, start: number): ReadStructuredData | null {
  const data = new Map<string, Map<string, string[]>>();
  let at = start;
  let count = 0;
  let hasParameter = false;
  while (text[at] === '[') {
    const id = match(ELEMENT, text, at);
    if (id === null) return null;
    at = id.end;
    const element = data.get(id.text) ?? new Map<string, string[]>();
    data.set(id.text, element);
    for (let name = match(NAME, text, at); name !== null; name = match(NAME, text, at)) {
      const value = match(VALUE, text, name.end);
      if (value === null || ++count > MAX_PARAMETERS) return null;
      hasParameter = true;
      const values = element.get(name.text) ?? [];
      values.push(value.text.includes('\\') ? value.text.replace(ESCAPES, '$1') : value.text);
      element.set(name.text, values);
      at = value.end;
    }
    while (text[at] === ' ') at++;
    if (text[at] !== ']' || ++count > MAX_PARAMETERS) return null;
    at++;
  }
  const isWhole = hasParameter && (at === text.length || text[at] === ' ');
  return isWhole ? { data, end: at } : null;
}

function match(pattern: RegExp, text: string, at: number): { readonly text: string; readonly end: number } | null {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found === null ? null : { text: found[1]!, end: pattern.lastIndex };
}
