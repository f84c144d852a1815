/** Quotes names and texts for statements, the only two ways in which text becomes part of one. Values are bound. */

import type { Part } from './part';

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The table of a part, with its database. */
export function quotePart({ table, database }: Pick<Part, 'table' | 'database'>): string {
  return database === null ? quoteName(table) : `${quoteName(database)}.main.${quoteName(table)}`;
}

/** Quotes are the only special characters in a text literal: there are no escapes. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
