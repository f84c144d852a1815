/** Parses a text by a format: the format becomes one pattern, and the time is built from its groups. */
import type { FormatElement } from '../../time/time-format';
import { nameOnce } from './bind-once';
import { checkedDate, orFail } from './casts';
import { int, knownMicros, micros, quoteText } from './literals';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_NAMES = 'january|february|march|april|may|june|july|august|september|october|november|december';
const DAY_NAMES = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday';
const short = (names: string): string => names.replaceAll(/([a-z]{3})[a-z]*/g, '$1');

const SPACE = '[\\s\\v]';

/** Pattern of each code in lower case, with one group each. */
const PATTERNS: Readonly<Record<string, string>> = {
  A: `(${DAY_NAMES})`,
  a: `(${short(DAY_NAMES)})`,
  B: `(${MONTH_NAMES})`,
  b: `(${short(MONTH_NAMES)})`,
  d: '([0-9]{1,2})',
  e: ' *([0-9]{1,2})',
  H: '([01]?[0-9]|2[0-3])',
  k: ' *([01]?[0-9]|2[0-3])',
  I: '(1[0-2]|0?[1-9])',
  l: ' *(1[0-2]|0?[1-9])',
  j: '(36[0-6]|3[0-5][0-9]|[12][0-9]{2}|0?[1-9][0-9]|0{0,2}[1-9])',
  M: '([0-5]?[0-9])',
  m: '([0-9]{1,2})',
  p: '(am|pm)',
  S: '([0-5]?[0-9])',
  'E*S': '([0-5]?[0-9](?:\\.[0-9]{1,9})?)',
  Y: '([0-9]{1,4})',
  y: '([0-9]{1,2})',
  z: '(z|utc|[+-][0-9]{2}(?::?[0-9]{2})?)',
  Ez: '(z|utc|[+-][0-9]{2}(?::?[0-9]{2})?)',
};

/** @param x a short text, which is repeated */
export function parsedTime(x: string, elements: readonly FormatElement[], safe: boolean): string {
  const groups = new Map<string, number>();
  let count = 0;
  const pattern = elements
    .map((element) => {
      if (element.kind === 'text') return element.text.toLowerCase().split(/\s+/u).map(literally).join(`${SPACE}+`);
      count += 1;
      groups.set(element.code, count);
      return PATTERNS[element.code];
    })
    .join('');
  const found = `extractGroups(lower(ifNull(${x}, '')), ${quoteText(`^${SPACE}*${pattern}${SPACE}*$`)})`;
  const value = nameOnce(found, (g) => {
    const part = (...codes: readonly string[]): string | null => {
      // If several codes give the same field, the last one wins.
      const last = Math.max(...codes.map((code) => groups.get(code) ?? 0));
      return last === 0 ? null : `${g}[${last}]`;
    };
    return `if(empty(${g}), NULL, ${instant(part)})`;
  });
  return orFail(x, value, safe, 'bad_time');
}

type Part = (...codes: readonly string[]) => string | null;

function instant(part: Part): string {
  const ofYear = part('j');
  const day = part('m', 'B', 'b', 'd', 'e') === null && ofYear !== null ? null : two(part('d', 'e') ?? "'1'");
  const text = `concat(${year(part)}, '-', ${day === null ? "'01'" : month(part)}, '-', ${day ?? "'01'"}, ' ', ${clock(part)})`;
  const local = checkedDate(text, true);
  const moved = day === null ? `addDays(${local}, toInt32(${ofYear}) - 1)` : local;
  const zone = part('z', 'Ez');
  if (zone === null) return moved;
  const sign = `if(startsWith(${zone}, '-'), -1, 1)`;
  const minutes = `(toInt64OrZero(substring(${zone}, 2, 2)) * 60 + toInt64OrZero(right(substring(${zone}, 4), 2)))`;
  return nameOnce(`${micros(moved)} - ${sign} * ${minutes} * ${int(60_000_000)}`, knownMicros);
}

function year(part: Part): string {
  const whole = part('Y');
  if (whole !== null) return `leftPad(${whole}, 4, '0')`;
  const last = part('y');
  return `toString(toInt32(${last}) + if(toInt32(${last}) < 69, 2000, 1900))`;
}

function month(part: Part): string {
  const number = part('m');
  if (number !== null) return two(number);
  const name = part('B', 'b');
  if (name === null) return "'01'";
  return two(`toString(indexOf([${MONTHS.map(quoteText).join(', ')}], substring(${name}, 1, 3)))`);
}

function clock(part: Part): string {
  const seconds = part('E*S');
  const fraction =
    seconds === null ? "'000000'" : `rightPad(substring(extract(${seconds}, '\\\\.([0-9]+)'), 1, 6), 6, '0')`;
  const whole = seconds === null ? (part('S') ?? "'0'") : `extract(${seconds}, '^[0-9]+')`;
  return `${two(hour(part))}, ':', ${two(part('M') ?? "'0'")}, ':', ${two(whole)}, '.', ${fraction}`;
}

function hour(part: Part): string {
  const of24 = part('H', 'k');
  if (of24 !== null) return of24;
  const of12 = part('I', 'l');
  if (of12 === null) return "'0'";
  const half = part('p');
  return `toString(toInt32(${of12}) % 12 + ${half === null ? '0' : `if(${half} = 'pm', 12, 0)`})`;
}

function two(text: string): string {
  return `leftPad(${text}, 2, '0')`;
}

function literally(text: string): string {
  return text.replaceAll(/[^a-z0-9]/gu, escaped);
}

function escaped(character: string): string {
  return `\\x{${(character.codePointAt(0) as number).toString(16)}}`;
}
