/** Parses the format of FORMAT into texts and unambiguous directives, checked against a list. */

export interface Directive {
  /** Integer, number with fractional digits, text, or any value. */
  readonly code: 'd' | 'f' | 's' | 't';
  /** Minimum number of characters; 0 for none. */
  readonly width: number;
  /** Position of the padding. */
  readonly fill: 'left' | 'right' | 'zeros';
  /** Fractional digits of `f`, or maximum number of characters of `s`. */
  readonly precision: number | null;
}

export type FormatElements = { readonly elements: readonly (string | Directive)[] };
export type FormatProblem = { readonly problem: string; readonly hint: string };

const DIRECTIVE = /%(?<flags>[-0]*)(?<width>\d*)(?:\.(?<precision>\d*))?(?<code>.?)|[^%]+/gsu;
const CODES: Readonly<Record<string, Directive['code']>> = { d: 'd', i: 'd', f: 'f', F: 'f', s: 's', t: 't' };
const MAX_WIDTH = 1_000;
const MAX_DIGITS = 30;
const HINT = `it knows %s %d %i %f %F %t and %%, the flags - and 0, widths to ${MAX_WIDTH}, and digits to ${MAX_DIGITS}`;

export function parseFormat(format: string): FormatElements | FormatProblem {
  const elements: (string | Directive)[] = [];
  for (const match of format.matchAll(DIRECTIVE)) {
    const [written] = match;
    if (!written.startsWith('%')) elements.push(written);
    else if (written === '%%') elements.push('%');
    else {
      const directive = directiveOf(match.groups ?? {});
      if (directive === null) return { problem: `"${written}"`, hint: HINT };
      elements.push(directive);
    }
  }
  return { elements };
}

function directiveOf(groups: Readonly<Record<string, string | undefined>>): Directive | null {
  const code = Object.hasOwn(CODES, groups['code'] ?? '') ? CODES[groups['code'] as string] : undefined;
  const width = Number(groups['width'] ?? 0);
  const precision = groups['precision'] === undefined ? null : Number(groups['precision']);
  if (code === undefined || width > MAX_WIDTH || (precision ?? 0) > (code === 's' ? MAX_WIDTH : MAX_DIGITS))
    return null;
  if (precision !== null && code !== 'f' && code !== 's') return null;
  const isNumber = code === 'd' || code === 'f';
  const flags = groups['flags'] ?? '';
  return {
    code,
    width,
    precision,
    fill: flags.includes('-') ? 'right' : flags.includes('0') && isNumber ? 'zeros' : 'left',
  };
}
