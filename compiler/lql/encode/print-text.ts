/** Prints texts, with quotes only if they are necessary. */

const PLAIN = /^[A-Za-z0-9_]+$/;

export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** The name of a table after `f:`. */
export function printTable(name: string): string {
  return /^[0-9]/.test(name) ? quote(name) : printText(name);
}

/** For positions where any unquoted text is text: message words, regular expressions, table names. */
export function printText(text: string): string {
  return PLAIN.test(text) ? text : quote(text);
}
