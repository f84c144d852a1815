/**
 * Characters of a value that would begin a variable of Grafana or a macro, written as macros that the backend resolves
 * last: an inserted value is never expanded again, neither in Explore, which gets the inserted text, nor in the
 * backend.
 */
const DOLLAR = '${__dollar}';
const BRACKET = '${__bracket}';

export function escapeVariables(value: string): string {
  return value.replace(/\$(?=[\w{])|\[(?=\[\w)/g, (character) => (character === '$' ? DOLLAR : BRACKET));
}

export function unescapeVariables(text: string): string {
  return text.replace(/\$\{__(dollar|bracket)\}/g, (_all, name: string) => (name === 'dollar' ? '$' : '['));
}
