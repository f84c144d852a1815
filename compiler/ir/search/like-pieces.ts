/** Texts that each match of a LIKE pattern holds. */

export interface LikePieces {
  readonly pieces: readonly string[];
  /** Whether the pattern matches one text only. */
  readonly isWhole: boolean;
}

/** @returns undefined for a pattern that ends with an unpaired backslash */
export function likePieces(pattern: string): LikePieces | undefined {
  const pieces: string[] = [];
  let piece = '';
  let isWhole = true;
  for (let i = 0; i < pattern.length; i++) {
    let character = pattern.charAt(i);
    if (character === '%' || character === '_') {
      pieces.push(piece);
      piece = '';
      isWhole = false;
      continue;
    }
    if (character === '\\') {
      i += 1;
      if (i === pattern.length) return undefined;
      character = pattern.charAt(i);
    }
    piece += character;
  }
  pieces.push(piece);
  return { pieces: pieces.filter((one) => one !== ''), isWhole };
}
