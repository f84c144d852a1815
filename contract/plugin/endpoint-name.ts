/** Rules for saved queries that the browser checks while the user types. */

/** Does not exclude UUIDs that start with a letter; `nameProblem` and the schema of saved queries refuse them. */
export const ENDPOINT_NAME_PATTERN = /^[a-z][a-z0-9_.-]{0,127}$/;
export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @returns what is wrong with a name, as a sentence; undefined for a valid one */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'A saved query needs a name.';
  if (name.length > 128) return 'The name has more than 128 characters.';
  if (!/^[a-z]/.test(name)) return 'The name begins with a lower-case letter.';
  if (!ENDPOINT_NAME_PATTERN.test(name))
    return 'The name has lower-case letters, digits, dots, hyphens and underscores.';
  return UUID_PATTERN.test(name) ? 'The name must not look like a UUID.' : undefined;
}

/** Limits of a saved query that forms check while typing. */
export const MAX_SAVED_ROWS = 100_000;
export const MAX_CACHE_SECONDS = 86_400;
/** Maximum length of the user's part of a note; the backend adds who saved. */
export const MAX_NOTE_LENGTH = 300;
