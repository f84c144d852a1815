/**
 * Grams: four bytes of a text that follow each other, as numbers of 18 bits. A text that holds another one, with the
 * same or another case, has all grams of it.
 *
 * Texts are folded before: ASCII letters become small, and so do the three other characters that stores take for
 * letters of ASCII when they ignore case. Folding maps each character by itself. Other characters stay as they are, so
 * they are no part of a search that ignores case.
 */

export const GRAM_BITS = 18;
const GRAM_BYTES = 4;

/** A bitmap for all grams. */
export function gramBitmap(): Uint8Array {
  return new Uint8Array(2 ** GRAM_BITS / 8);
}

/** Adds the grams of a text to a bitmap. @param text UTF-8, which is overwritten */
export function addGrams(text: Uint8Array, bitmap: Uint8Array): void {
  const length = fold(text);
  let gram = 0;
  for (let i = 0; i < length; i++) {
    gram = (gram << 8) | text[i]!;
    if (i < GRAM_BYTES - 1) continue;
    const number = hashed(gram);
    bitmap[number >>> 3]! |= 1 << (number & 7);
  }
}

/**
 * Grams that a text has in common with every text that holds it, at most `wanted`. @returns an empty list for a text
 * that is too short
 */
export function gramsOf(text: string, anyCase: boolean, wanted: number): readonly number[] {
  const bytes = Buffer.from(text);
  const length = fold(bytes);
  const found = new Set<number>();
  let gram = 0;
  let run = 0;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i]!;
    gram = (gram << 8) | byte;
    run = anyCase && byte >= 0x80 ? 0 : run + 1;
    if (run >= GRAM_BYTES) found.add(hashed(gram));
  }
  return spread([...found], wanted);
}

/** At most this number of the items, from all of the list. */
function spread(items: readonly number[], wanted: number): readonly number[] {
  if (items.length <= wanted) return items;
  return Array.from({ length: wanted }, (_, i) => items[Math.floor((i * items.length) / wanted)]!);
}

function hashed(gram: number): number {
  return Math.imul(gram ^ (gram >>> 15), 0x9e3779b1) >>> (32 - GRAM_BITS);
}

/** Folds a text in place. @returns its new length in bytes */
function fold(bytes: Uint8Array): number {
  let to = 0;
  for (let from = 0; from < bytes.length; from++) {
    let byte = bytes[from]!;
    if (byte >= 0x41 && byte <= 0x5a) byte |= 0x20;
    else if (byte >= 0xc4 && byte <= 0xe2) {
      const next = bytes[from + 1];
      if (byte === 0xc4 && next === 0xb0) {
        // İ
        byte = 0x69;
        from += 1;
      } else if (byte === 0xc5 && next === 0xbf) {
        // ſ
        byte = 0x73;
        from += 1;
      } else if (byte === 0xe2 && next === 0x84 && bytes[from + 2] === 0xaa) {
        // The sign of Kelvin.
        byte = 0x6b;
        from += 2;
      }
    }
    bytes[to] = byte;
    to += 1;
  }
  return to;
}
