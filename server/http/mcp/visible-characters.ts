/**
 * Characters that change how a terminal or a reader shows a text: controls, line separators, directions, invisible
 * tags.
 */
const SPECIAL = /[\p{Cc}\p{Zl}\p{Zp}\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Prints them as escapes of JSON. */
export function printSpecial(text: string): string {
  return text.replace(SPECIAL, (character) => NAMED[character] ?? escaped(character));
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
