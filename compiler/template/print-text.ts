/** Names and texts of SQL that are printed into a template. */
import { CALLED_WITHOUT_PARENTHESES, RESERVED_WORDS } from '../sql/reserved-words';

/** Control characters, and those that change the direction of a text or are not seen. */
const ESCAPED = /[\\'\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const NAMED: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "\\'", '\n': '\\n', '\r': '\\r', '\t': '\\t' };

export function printText(text: string): string {
  return `'${escape(text)}'`;
}

export function printName(name: string): string {
  const symbol = name.toUpperCase();
  const isPlain = /^[A-Za-z_]\w*$/.test(name) && !RESERVED_WORDS.has(symbol) && !CALLED_WITHOUT_PARENTHESES.has(symbol);
  return isPlain ? name : `\`${escape(name).replace(/`/g, '\\`')}\``;
}

function escape(text: string): string {
  return text.replace(
    ESCAPED,
    (character) => NAMED[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  );
}
