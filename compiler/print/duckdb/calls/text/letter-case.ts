/**
 * Upper and lower case by Unicode's full, language-independent mappings: `ß` becomes `SS`, a word-final sigma is `ς`.
 * DuckDB maps single characters, by Unicode 15. Pure ASCII text, the usual case, uses DuckDB's own functions.
 */
import { quoteText } from '../../values/literals';
import { forLambda } from '../../values/for-lambda';

/**
 * Letters whose upper case has several characters. Complete: Unicode does not change the mappings of existing letters.
 */
const SEVERAL = 'ßŉǰΐΰև\u1e96-\u1e9aὐὒὔὖᾀ-ᾯᾲ-ᾴᾶᾷᾼῂ-ῄῆῇῌῒ\u1fd3ῖῗῢ\u1fe3ῤῦῧῲ-ῴῶῷῼ\ufb00-\ufb06\ufb13-\ufb17';

/** Lower-case letters added in Unicode 16 and 17: first, last, and distance to their upper case. */
const NEW_LETTERS: readonly (readonly [number, number, number])[] = [
  [0x19b, 0x19b, 0xa641],
  [0x264, 0x264, 0xa567],
  ...[0x1c8a, 0xa7cd, 0xa7cf, 0xa7d3, 0xa7d5, 0xa7db].map((small) => [small, small, -1] as const),
  [0x10d70, 0x10d85, -0x20],
  [0x16ebb, 0x16ed3, -0x1b],
];

const newSmall = NEW_LETTERS.flatMap(([first, last]) => range(first, last)).join('');
const newCapital = NEW_LETTERS.flatMap(([first, last, by]) => range(first + by, last + by)).join('');

/** Three characters for each letter that DuckDB maps to a different upper case. */
const WIDTH = 3;
const several = expanded(SEVERAL);
const others = quoteText([...several, ...newSmall].join(''));
const capitals = quoteText(
  [...several.map((letter) => letter.toUpperCase()), ...newCapital]
    .map((capital) => capital + ' '.repeat(WIDTH - [...capital].length))
    .join('')
);

/** Letters, and characters that may occur between a letter and the end of its word. */
const LETTER = '[\\p{Lu}\\p{Ll}\\p{Lt}ªºⅠ-ⅿⒶ-ⓩ\\x{1f130}-\\x{1f149}\\x{1f150}-\\x{1f169}\\x{1f170}-\\x{1f189}]';
const BETWEEN = "[\\p{Mn}\\p{Me}\\p{Cf}\\p{Lm}\\p{Sk}'.:·\\x{387}՟\\x{5f4}‘’․‧︓﹒﹕＇．：]*";

/** @param x a short text, which is repeated */
export function upper(x: string): string {
  const letter = `(CASE WHEN contains(${others}, c) THEN rtrim(substr(${capitals}, ${WIDTH} * strpos(${others}, c) - ${WIDTH - 1}, ${WIDTH})) ELSE upper(c) END)`;
  const mapped = `array_to_string(list_transform(${forLambda(`string_split(${x}, '')`)}, lambda c: ${letter}), '')`;
  return unlessRare(x, SEVERAL + newSmall, `upper(${x})`, mapped);
}

/** @param x a short text, which is repeated */
export function lower(x: string): string {
  const known = `translate(replace(${x}, 'İ', 'i\u0307'), '${newCapital}', '${newSmall}')`;
  // Each pass replaces only every second of adjacent sigmas.
  const inside = (text: string): string =>
    `regexp_replace(${text}, ${quoteText(`Σ(${BETWEEN}${LETTER})`)}, 'σ\\1', 'g')`;
  const atEnd = `regexp_replace(${inside(inside(known))}, ${quoteText(`(${LETTER}${BETWEEN})Σ`)}, '\\1ς', 'g')`;
  return unlessRare(x, `İΣ${newCapital}`, `lower(${x})`, `lower(${atEnd})`);
}

/**
 * Case folding for comparisons: maps each character to one lower-case letter, regardless of context. @param x a short
 * text, which is repeated
 */
export function lowerEach(x: string): string {
  const mapped = `translate(lower(${x}), 'ς${newCapital}', 'σ${newSmall}')`;
  return unlessRare(x, `ς${newCapital}`, `lower(${x})`, mapped);
}

function unlessRare(x: string, rare: string, plain: string, mapped: string): string {
  const isPlain = `strlen(${x}) = length(${x}) OR NOT regexp_matches(${x}, '[${rare}]')`;
  return `(CASE WHEN ${isPlain} THEN ${plain} ELSE ${mapped} END)`;
}

function range(first: number, last: number): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
}

/** Expands the inside of a character class to its characters. */
function expanded(characterClass: string): readonly string[] {
  return [...characterClass.matchAll(/(.)-(.)|./gu)].flatMap(([all, first, last]) =>
    first === undefined || last === undefined
      ? [all]
      : range(first.codePointAt(0) as number, last.codePointAt(0) as number)
  );
}
