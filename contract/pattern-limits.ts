/**
 * Bounds the time to compile a pattern, by its text: RE2 writes out repetitions, and in patterns without regard to case
 * it looks up each character of a range.
 */

/** Instructions of the program, estimated from above. */
const MAX_SIZE = 20_000;
/** Characters of ranges without regard to case. */
const MAX_FOLDED = 500_000;
/** Classes such as `\pL`, each of hundreds of ranges. */
const MAX_PROPERTIES = 100;

/** Characters outside of this range have no other case. */
const FIRST_FOLDED = 0x41;
const LAST_FOLDED = 0x1e943;

const CLASS = String.raw`\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]`;
const ESCAPE = String.raw`\\[pP](?:\{[^}]*\}|[^])|\\x\{[^}]*\}|\\[^]`;
const TOKEN = new RegExp(
  String.raw`\\Q[^]*?(?:\\E|$)|${ESCAPE}|${CLASS}|\((?:\?P?<\w+>|\?[a-zA-Z-]*:?)?|\)|\||\{\d+(?:,\d*)?\}|[*+?]|[^]`,
  'gu'
);
const CHARACTER = String.raw`(?:\\x\{[0-9a-fA-F]{1,6}\}|\\x[0-9a-fA-F]{2}|\\[^]|[^\\])`;
const RANGE = new RegExp(`(${CHARACTER})-(${CHARACTER})`, 'gu');

/** @returns what is too much; null for a pattern that may be compiled */
export function patternLimit(pattern: string): string | null {
  const tokens = pattern.match(TOKEN) ?? [];
  if (sizeOf(tokens) > MAX_SIZE) return 'a regular expression repeats too much';
  const classes = tokens.filter((token) => /^(?:\\[pP]|\[.)/su.test(token));
  const properties = classes.reduce((sum, token) => sum + (token.match(/\\[pP]/g)?.length ?? 0), 0);
  if (properties > MAX_PROPERTIES) return `a regular expression has more than ${MAX_PROPERTIES} classes such as \\pL`;
  const isFolded = /\(\?[a-zA-Z]*i/.test(pattern);
  const folded = isFolded ? classes.reduce((sum, token) => sum + foldedOf(token), 0) : 0;
  return folded > MAX_FOLDED ? 'a regular expression with (?i) has too many large ranges' : null;
}

/** A sequence: what is before its last part, and that part, which a repetition follows. */
interface Sequence {
  before: number;
  last: number;
}

function sizeOf(tokens: readonly string[]): number {
  let open: Sequence = { before: 0, last: 0 };
  const outer: Sequence[] = [];
  for (const token of tokens) {
    const [, low, comma, high] = /^\{(\d+)(,?)(\d*)\}$/.exec(token) ?? [];
    if (token.startsWith('(')) {
      outer.push(open);
      open = { before: 2, last: 0 };
    } else if (token === ')') {
      const size = open.before + open.last;
      open = append(outer.pop() ?? { before: 0, last: 0 }, size);
    } else if (low !== undefined) open.last = repeated(open.last, Number(low), comma === '' ? low : high);
    else if (/^[*+?]$/.test(token)) open.last += 1;
    else open = append(open, token.startsWith('\\Q') ? token.length : 1);
  }
  return [...outer, open].reduce((sum, { before, last }) => sum + before + last, 0);
}

/** @param high empty: any number of times */
function repeated(size: number, low: number, high = ''): number {
  const times = Math.max(1, Number(high || low));
  return size * times + times - low;
}

function append({ before, last }: Sequence, size: number): Sequence {
  return { before: before + last, last: size };
}

function foldedOf(characterClass: string): number {
  let sum = 0;
  for (const [, low = '', high = ''] of characterClass.matchAll(RANGE))
    sum += Math.max(0, Math.min(codeOf(high), LAST_FOLDED) - Math.max(codeOf(low), FIRST_FOLDED));
  return sum;
}

function codeOf(character: string): number {
  const hex = /^\\x\{?([0-9a-fA-F]+)/.exec(character)?.[1];
  return hex === undefined ? (character.replace(/^\\/, '').codePointAt(0) ?? 0) : parseInt(hex, 16);
}
