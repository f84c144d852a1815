/** Texts in quotes where they would be read differently without. */

const PLAIN = /^[A-Za-z0-9_]+$/;

export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Where any bare text is text: message words, regular expressions, table names. */
export function printText(text: string): string {
  return PLAIN.test(text) ? text : quote(text);
}
