/** Comparisons that ignore case: one small letter for each character, whatever stands beside it. */

/** ClickHouse's own gives two characters for `İ`, and `ς` for a sigma that ends a word. */
export function lowerEach(x: string): string {
  return `replaceAll(lowerUTF8(replaceAll(${x}, 'İ', 'i')), 'ς', 'σ')`;
}

/** Text that is only ASCII, which most is, by functions that know no other letters. @param x a short text, which is repeated */
export function ifAscii(x: string, plain: string, mapped: string): string {
  return `if(length(${x}) = lengthUTF8(${x}), ${plain}, ${mapped})`;
}
