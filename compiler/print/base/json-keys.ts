/** Keys of JSON as JSON_KEYS of GoogleSQL writes them. */

/** Matches a key that is written in quotes. Otherwise a path would not tell where the key ends. */
export const QUOTED_KEY = '[."\\\\\\x00-\\x1f\\x{2028}\\x{2029}]';

/** Pieces of a quoted key: GoogleSQL writes the digits of `\\u001f` in lower case. */
export const ESCAPES = '(?s)\\\\u[0-9A-Fa-f]{4}|\\\\.|[^\\\\]+';
