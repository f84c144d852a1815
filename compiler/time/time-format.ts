/**
 * Parses the formats of FORMAT_* and PARSE_* into unambiguous elements, checked against a list. Stores never receive
 * the format text.
 */

/** `code` is the part after `%`: `Y`, `E4Y`, `E*S`, `E3S`, `Ez`, `-d`. Shorthands (`%F`, `%T`) are expanded. */
export type FormatElement =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'code'; readonly code: string };

const DATE_CODES = ['A', 'a', 'B', 'b', 'C', 'd', 'e', 'G', 'g', 'j', 'm', 'Q', 'U', 'u', 'V', 'W', 'w', 'Y', 'y'];
const CLOCK_CODES = ['H', 'I', 'k', 'l', 'M', 'P', 'p', 'S', 'E*S', 'E0S', 'E1S', 'E2S', 'E3S', 'E4S', 'E5S', 'E6S'];
/** Numbers that FORMAT_* shows without their leading zeros or blanks after `%-`. */
const PADDED_CODES = ['d', 'e', 'H', 'I', 'j', 'k', 'l', 'M', 'm', 'S', 'U', 'V', 'W', 'y'];
const ZONE_CODES = ['s', 'Z', 'z', 'Ez'];

/** Codes that expand to others. `%%`, `%n` and `%t` become text. */
const SHORTHANDS: Readonly<Record<string, string>> = {
  '%': '%%',
  n: '\n',
  t: '\t',
  h: '%b',
  E4Y: '%Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  x: '%m/%d/%y',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
  c: '%a %b %e %H:%M:%S %Y',
};
/** Characters that are not part of a time. */
const MARKS = ['%', 'n', 't'];
const CLOCK_SHORTHANDS = ['R', 'r', 'T', 'X', 'c'];

/** Codes supported by PARSE_*. */
const PARSED_DATE_CODES = ['A', 'a', 'B', 'b', 'C', 'd', 'e', 'j', 'm', 'Q', 'u', 'w', 'Y', 'y'];
const PARSED_CLOCK_CODES = [
  'H',
  'I',
  'k',
  'l',
  'M',
  'P',
  'p',
  'S',
  'E*S',
  'E0S',
  'E1S',
  'E2S',
  'E3S',
  'E4S',
  'E5S',
  'E6S',
];
const PARSED_ZONE_CODES = ['s', 'z', 'Ez', 'Z'];
/** Codes of another locale's forms, which are those without the letter E. */
const ALTERNATIVES: Readonly<Record<string, string>> = { EY: '%Y', Ey: '%y', EC: '%C' };

export type FormatUse = `${'FORMAT' | 'PARSE'}_${'TIMESTAMP' | 'DATETIME' | 'DATE' | 'TIME'}`;

/** Supported codes, including shorthands, as written. */
export function formatCodes(use: FormatUse): readonly string[] {
  const plain = plainCodes(use);
  const shorthands = Object.keys(SHORTHANDS).filter((code) => isShorthandOf(code, use));
  const alternatives = use.startsWith('PARSE') && use !== 'PARSE_TIME' ? Object.keys(ALTERNATIVES) : [];
  const unpadded = use.startsWith('FORMAT') ? plain.filter((code) => PADDED_CODES.includes(code)) : [];
  return [...plain, ...shorthands, ...alternatives, ...unpadded.map((code) => `-${code}`)]
    .sort()
    .map((code) => `%${code}`);
}

function isShorthandOf(code: string, use: FormatUse): boolean {
  if (use.endsWith('_DATE')) return !CLOCK_SHORTHANDS.includes(code);
  return !use.endsWith('_TIME') || MARKS.includes(code) || (CLOCK_SHORTHANDS.includes(code) && code !== 'c');
}

/** Elements of a format, or the first code that is not supported for the use (`%q`, or `%` at the end). */
export function parseTimeFormat(
  format: string,
  use: FormatUse
): { readonly elements: readonly FormatElement[] } | { readonly unknown: string } {
  const codes = new Set(formatCodes(use));
  const elements: FormatElement[] = [];
  for (const [part, code] of format.matchAll(/%(E[*0-9][SY]|Ez|-.|[^E]|$|E.?)|[^%]+/gsu)) {
    if (code === undefined) elements.push({ kind: 'text', text: part });
    else if (!codes.has(part)) return { unknown: part };
    else elements.push(...expand(code));
  }
  return { elements };
}

function expand(code: string): readonly FormatElement[] {
  const written = { ...SHORTHANDS, ...ALTERNATIVES }[code];
  if (written === undefined) return [{ kind: 'code', code }];
  if (code === '%') return [{ kind: 'text', text: '%' }];
  return [...written.matchAll(/%(.)|[^%]+/gs)].map(([text, inner]) =>
    inner === undefined ? { kind: 'text', text } : { kind: 'code', code: inner }
  );
}

function plainCodes(use: FormatUse): readonly string[] {
  switch (use) {
    case 'FORMAT_DATE':
      return DATE_CODES;
    case 'FORMAT_DATETIME':
      return [...DATE_CODES, ...CLOCK_CODES];
    case 'FORMAT_TIMESTAMP':
      return [...DATE_CODES, ...CLOCK_CODES, ...ZONE_CODES];
    case 'PARSE_TIMESTAMP':
      return [...PARSED_DATE_CODES, ...PARSED_CLOCK_CODES, ...PARSED_ZONE_CODES];
    case 'PARSE_DATETIME':
      return [...PARSED_DATE_CODES, ...PARSED_CLOCK_CODES];
    case 'FORMAT_TIME':
      return CLOCK_CODES;
    case 'PARSE_TIME':
      return PARSED_CLOCK_CODES;
    case 'PARSE_DATE':
      return PARSED_DATE_CODES;
  }
}
