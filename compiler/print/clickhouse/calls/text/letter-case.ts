/** Case folding for comparisons: maps each character to one lower-case letter, regardless of context. */

/** lowerUTF8 maps `İ` to two characters and a word-final sigma to `ς`. */
export function lowerEach(x: string): string {
  return `replaceAll(lowerUTF8(replaceAll(${x}, 'İ', 'i')), 'ς', 'σ')`;
}

/** Uses faster ASCII functions for pure ASCII text, the usual case. @param x a short text, which is repeated */
export function ifAscii(x: string, plain: string, mapped: string): string {
  return `if(length(${x}) = lengthUTF8(${x}), ${plain}, ${mapped})`;
}
