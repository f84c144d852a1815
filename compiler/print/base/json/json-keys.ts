/** Keys of JSON as JSON_KEYS of GoogleSQL writes them. */

/** Matches a key that is written in quotes. Otherwise a path would not tell where the key ends. */
export const QUOTED_KEY = '[."\\\\\\x00-\\x1f\\x{2028}\\x{2029}]';

/** Pieces of a quoted key: GoogleSQL writes the digits of `\\u001f` in lower case. */
export const ESCAPES = '(?s)\\\\u[0-9A-Fa-f]{4}|\\\\.|[^\\\\]+';

/** Maximum bytes of the part that is repeated in the paths of all keys of one object. */
const MAX_REPEATED_BYTES = 1_048_576;
/** Bytes of a member of an object: `"":1,`. */
const SHORTEST_MEMBER = 5;

/**
 * SQL condition that is true if a path is too long to be repeated for each key below it. The cheap part comes first.
 * @param path its bytes. @param text bytes of the object's JSON. @param keys number of its keys
 */
export function pathsTooLong(path: string, text: string, keys: string): string {
  return `${path} * ${text} > ${MAX_REPEATED_BYTES * SHORTEST_MEMBER} AND ${path} * ${keys} > ${MAX_REPEATED_BYTES}`;
}
