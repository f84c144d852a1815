/** Names and texts of SQL that are printed into a template. */
import { printString as printCanonicalString } from '../sql/canonical/expressions/print-literal';
import { printName as printCanonicalName } from '../sql/canonical/expressions/print-name';
import { CALLED_WITHOUT_PARENTHESES } from '../sql/reserved-words';

/** Characters that change the direction of a text, or are not seen: a person reads what is printed. */
const UNSEEN = /[\u0080-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export function printText(text: string): string {
  return visible(printCanonicalString(text));
}

export function printName(name: string): string {
  return visible(printCanonicalName({ name, quoted: CALLED_WITHOUT_PARENTHESES.has(name.toUpperCase()) }));
}

function visible(printed: string): string {
  return printed.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
