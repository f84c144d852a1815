/** Quotes names and texts for statements, the only two ways in which text becomes part of one. Values are bound. */

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes are the only special characters in a text literal: there are no escapes. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
