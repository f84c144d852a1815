/** Messages of the compiler and of stores are phrases, since they are parts of longer ones; callers read sentences. */

/**
 * @returns the text with a capital and a full stop. A first word that is a name, such as `edge_logs.id` or `f:`, stays
 * as it is written.
 */
export function asSentence(text: string): string {
  const begun = /^[a-z]+(?=[ ,])/.test(text) ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text;
  return /[.?!…](?: \([a-z_]+\))?$/.test(begun) ? begun : `${begun}.`;
}
