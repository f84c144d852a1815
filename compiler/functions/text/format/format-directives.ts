/** Parses the format of FORMAT into texts and unambiguous directives, checked against a list. */

type Code = 'd' | 'o' | 'x' | 'X' | 'f' | 'F' | 'e' | 'E' | 'g' | 'G' | WholeCode;

/** Directives of whole texts: they have no sign and no digits. */
export type WholeCode = 's' | 't' | 'T' | 'p' | 'P';
const WHOLE = 'stTpP';

export interface Directive {
  /**
   * Integer, in another base (o, x), number with fractional digits (f), with an exponent (e), in the shorter of both
   * forms (g), text, any value (t), any value as a literal (T), or JSON on one line (p) or several (P).
   */
  readonly code: Code;
  /** Minimum number of characters; 0 for none. */
  readonly width: number;
  /** Position of the padding. */
  readonly fill: 'left' | 'right' | 'zeros';
  /** Fractional digits of `f`, least digits of `d`, or maximum number of characters of `s`. */
  readonly precision: number | null;
  /** Of a number that is not negative. */
  readonly sign: '' | '+' | ' ';
  /** Whether a prefix tells the base, and a point is always written. */
  readonly alternate: boolean;
  /** Whether digits are grouped. */
  readonly grouped: boolean;
  /** What an argument before the value gives, in order: a `*` in the format. */
  readonly given: readonly ('width' | 'precision')[];
}

export type FormatElements = { readonly elements: readonly (string | Directive)[] };
export type FormatProblem = { readonly problem: string; readonly hint: string };

const DIRECTIVE = /%(?<flags>[-+ #0']*)(?<width>\*|\d*)(?:\.(?<precision>\*|\d*))?(?<code>.?)|[^%]+/gsu;
const CODES: Readonly<Record<string, Directive['code']>> = {
  ...Object.fromEntries([...'doxXfFeEgG', ...WHOLE].map((code) => [code, code])),
  i: 'd',
};
const MAX_WIDTH = 1_000;
const MAX_DIGITS = 30;
const HINT = `it knows %s %d %i %o %x %X %f %F %e %E %g %G %t %T %p %P and %%, * for a width or digits, the flags - + # 0 ' and blank, # not with g, widths to ${MAX_WIDTH}, and digits to ${MAX_DIGITS}`;

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
  const letter = groups['code'] ?? '';
  const code = Object.hasOwn(CODES, letter) ? CODES[letter] : undefined;
  const flags = groups['flags'] ?? '';
  const [width = '', precision] = [groups['width'], groups['precision']];
  if (code === undefined) return null;
  const isNumber = !WHOLE.includes(code);
  const alternate = flags.includes('#');
  if (alternate && (code === 'g' || code === 'G')) return null;
  const directive: Directive = {
    code,
    width: width === '*' ? 0 : Number(width),
    precision: precision === undefined || precision === '*' ? null : Number(precision),
    sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '',
    alternate,
    grouped: flags.includes("'"),
    fill: flags.includes('-') ? 'right' : flags.includes('0') && isNumber ? 'zeros' : 'left',
    given: [...(width === '*' ? (['width'] as const) : []), ...(precision === '*' ? (['precision'] as const) : [])],
  };
  return isWithinLimits(directive) ? directive : null;
}

export function isWithinLimits({ code, width, precision }: Directive): boolean {
  return width <= MAX_WIDTH && (precision ?? 0) <= (WHOLE.includes(code) ? MAX_WIDTH : MAX_DIGITS);
}
