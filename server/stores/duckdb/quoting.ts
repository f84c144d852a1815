/** The only two ways in which text of ours becomes part of a statement. Values are bound. */

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes are the only characters with a meaning inside a quoted text: there are no escapes. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
