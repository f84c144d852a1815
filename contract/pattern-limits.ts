/**
 * Bounds the time to compile a pattern, by its text: RE2 writes out repetitions, and in patterns without regard to case
 * it looks up each character of a range.
 */

export interface PatternCost {
  /** Instructions of the program, estimated from above. */
  readonly size: number;
  /** Characters of ranges without regard to case. */
  readonly folded: number;
  /** Classes such as `\pL`, each of hundreds of ranges. */
  readonly properties: number;
}

const MAX: PatternCost = { size: 20_000, folded: 500_000, properties: 100 };
/** What all patterns of a statement may take together. */
const MAX_TOGETHER: PatternCost = { size: 40_000, folded: 1_000_000, properties: 200 };
/** Patterns of parameters are compiled between the requests of all callers, those of a statement in the engine. */
const MAX_OF_PARAMETER: PatternCost = { size: 5_000, folded: 125_000, properties: 50 };
const MAX_OF_PARAMETERS: PatternCost = { size: 10_000, folded: 250_000, properties: 100 };

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

/** Sums the patterns of one statement, or of the parameters of one saved query or call, as they are compiled. */
export class PatternBudget {
  private spent: PatternCost = { size: 0, folded: 0, properties: 0 };
  private readonly max: PatternCost;
  private readonly maxTogether: PatternCost;

  constructor(private readonly of: 'query' | 'parameters' = 'query') {
    this.max = of === 'query' ? MAX : MAX_OF_PARAMETER;
    this.maxTogether = of === 'query' ? MAX_TOGETHER : MAX_OF_PARAMETERS;
  }

  /** @returns what is too much; null for a pattern that may be compiled */
  take(pattern: string): string | null {
    const { size, folded, properties } = patternCost(pattern);
    const { spent } = this;
    this.spent = { size: spent.size + size, folded: spent.folded + folded, properties: spent.properties + properties };
    return (
      limitOf({ size, folded, properties }, this.max) ??
      (isWithin(this.spent, this.maxTogether)
        ? null
        : `the regular expressions of the ${this.of} are too large together`)
    );
  }
}

function patternCost(pattern: string): PatternCost {
  const tokens = pattern.match(TOKEN) ?? [];
  const classes = tokens.filter((token) => /^(?:\\[pP]|\[.)/su.test(token));
  const isFolded = /\(\?[a-zA-Z]*i/.test(pattern);
  return {
    size: sizeOf(tokens),
    folded: isFolded ? classes.reduce((sum, token) => sum + foldedOf(token), 0) : 0,
    properties: classes.reduce((sum, token) => sum + (token.match(/\\[pP]/g)?.length ?? 0), 0),
  };
}

function isWithin({ size, folded, properties }: PatternCost, max: PatternCost): boolean {
  return size <= max.size && folded <= max.folded && properties <= max.properties;
}

function limitOf({ size, folded, properties }: PatternCost, max: PatternCost): string | null {
  if (size > max.size) return 'a regular expression repeats too much';
  if (properties > max.properties) return `a regular expression has more than ${max.properties} classes such as \\pL`;
  return folded > max.folded ? 'a regular expression with (?i) has too many large ranges' : null;
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
