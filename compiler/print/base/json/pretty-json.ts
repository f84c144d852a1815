/**
 * JSON texts on several lines, as GoogleSQL writes them: two blanks for each level, empty arrays and objects as `[]`,
 * `{}`.
 */
import { STRING } from './json-text';

/** What one level is indented by. */
export const INDENT = '  ';

/**
 * Matches the pieces of a text without blanks between values: the end of an array or object, a key, or a value. An
 * opening bracket is a piece of its own unless the closing one follows. A comma is part of the piece behind it.
 */
export const PIECES = `[]}]|,?(?:${STRING}:?|\\[\\]|\\{\\}|[[{]|[^]["{},]+)`;

/**
 * Matches what has no line of its own inside. Without it each comma begins a line, and each opening bracket causes two.
 */
export const ONE_LINE = `${STRING}|\\[\\]|\\{\\}`;
