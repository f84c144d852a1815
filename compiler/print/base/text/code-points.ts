/** Condition that a number is the code point of a character. A text of the dialect has no NUL. */
export function isCharacter(n: string): string {
  return `(${n} BETWEEN 1 AND 55295 OR ${n} BETWEEN 57344 AND 1114111)`;
}
