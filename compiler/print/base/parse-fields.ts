/**
 * Parses a text by a format: the format becomes one pattern (RE2), and SQL that both stores know computes the fields of
 * the time from its groups. Elements are read one after the other, as GoogleSQL does: the last one that gives a field
 * wins, and blanks in the format are any number of blanks.
 */
import type { FormatElement } from '../../time/time-format';
import { WIDEST_OFFSET_MINUTES } from './time-text';

/** A store's SQL for the groups of a match. */
export interface GroupSyntax {
  /** Text of group number `index`, from 1; empty where it took no part. */
  readonly group: (index: number) => string;
  /** Digits as INT64; zero for an empty text. */
  readonly number: (text: string) => string;
}

/** SQL of the fields. A field that no element gives has its value at 1970-01-01 00:00:00. */
export interface ParsedFields {
  /** True for fields that exist: the day is one of its month, and so on. */
  readonly isValid: string;
  readonly year: string;
  readonly month: string;
  readonly day: string;
  /** Day of the year, in place of month and day; null: none. */
  readonly dayOfYear: string | null;
  /** Microseconds of the day; a second 60 is the first of the next minute. */
  readonly clock: string;
  /** Offset of the text in minutes; null: none. */
  readonly offset: string | null;
  /** Unix time in seconds, which wins over all else; null: none. */
  readonly unixSeconds: string | null;
}

const MONTHS =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const DAYS = 'mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?';
const SPACE = '[\\s\\v]*';
const OFFSET = '([+-])([0-9]{2})';

/** Most digits of each code, and what may precede them. */
const DIGITS: Readonly<Record<string, readonly [number, string]>> = {
  C: [2, ''],
  d: [2, ''],
  e: [2, SPACE],
  H: [2, ''],
  I: [2, SPACE],
  j: [3, ''],
  k: [2, SPACE],
  l: [2, SPACE],
  M: [2, ''],
  m: [2, ''],
  Q: [1, ''],
  S: [2, ''],
  u: [1, ''],
  w: [1, ''],
  Y: [4, ''],
  y: [2, ''],
};

interface Reading {
  readonly pattern: string;
  /** Number of groups in the pattern. */
  readonly groups: number;
}

/** @param isFull whether more digits follow, so that a number has all of its digits */
function readingOf(code: string, isFull: boolean): Reading {
  const digits = DIGITS[code];
  if (digits !== undefined) return { pattern: `${digits[1]}([0-9]{${isFull ? '' : '1,'}${digits[0]}})`, groups: 1 };
  switch (code) {
    case 'A':
    case 'a':
      return { pattern: `(?i:${DAYS})`, groups: 0 };
    case 'B':
    case 'b':
      return { pattern: `((?i:${MONTHS}))`, groups: 1 };
    case 'E4Y':
      return { pattern: '([0-9]{4})', groups: 1 };
    case 'P':
    case 'p':
      return { pattern: '((?i:am|pm))', groups: 1 };
    case 's':
      return { pattern: '(-?[0-9]{1,12})', groups: 1 };
    case 'z':
      return { pattern: `${OFFSET}([0-9]{2})?`, groups: 3 };
    case 'Ez':
      return { pattern: `(?:Z|${OFFSET}(?::?([0-9]{2}))?)`, groups: 3 };
    case 'Z':
      return { pattern: '(?:UTC|GMT|(?:UTC)?([+-])([0-9]{1,2})(?::?([0-9]{1,2}))?)', groups: 3 };
    default: {
      const most = code === 'E*S' ? '' : code.slice(1, -1);
      if (most === '0') return { pattern: '([0-9]{1,2})', groups: 1 };
      return { pattern: `([0-9]{1,2})(?:\\.([0-9]{1,${most}}))?`, groups: 2 };
    }
  }
}

/** The pattern, with the whole match as group 1, and the number of its groups. */
export function parsePattern(elements: readonly FormatElement[]): Reading {
  let groups = 1;
  const parts = elements.map((element, index) => {
    if (element.kind === 'text') return element.text.split(/\s+/u).map(literally).join(SPACE);
    const reading = readingOf(element.code, startsWithDigit(elements[index + 1]));
    groups += reading.groups;
    return reading.pattern;
  });
  return { pattern: `^(${SPACE}${parts.join('')}${SPACE})$`, groups };
}

function startsWithDigit(next: FormatElement | undefined): boolean {
  if (next === undefined) return false;
  if (next.kind === 'text') return /^\d/.test(next.text);
  return DIGITS[next.code]?.[1] === '' || /^E.S$|^E4Y$|^s$/.test(next.code);
}

export function parsedFields(elements: readonly FormatElement[], { group, number }: GroupSyntax): ParsedFields {
  const valid: string[] = [];
  let next = 2;
  let [year, century, ofCentury] = ['1970', null as string | null, null as string | null];
  let isCenturyWritten = false;
  let [month, day, dayOfYear] = ['1', '1', null as string | null];
  let [hour, isHalf, half] = ['0', false, null as string | null];
  let [minute, second, fraction] = ['0', '0', '0'];
  let [offset, unixSeconds] = [null as string | null, null as string | null];
  const between = (value: string, low: number, high: number): string => {
    valid.push(`${value} BETWEEN ${low} AND ${high}`);
    return value;
  };
  for (const element of elements) {
    if (element.kind === 'text') continue;
    const { code } = element;
    const first = group(next);
    const value = number(first);
    switch (code) {
      case 'Y':
      case 'E4Y':
        [year, century, ofCentury, isCenturyWritten] = [value, null, null, false];
        break;
      case 'C':
        ofCentury = century === null ? '0' : ofCentury;
        [century, isCenturyWritten] = [value, true];
        break;
      case 'y':
        ofCentury = value;
        if (!isCenturyWritten) century = `(CASE WHEN ${value} < 69 THEN 20 ELSE 19 END)`;
        break;
      case 'm':
        month = between(value, 1, 12);
        break;
      case 'B':
      case 'b':
        month = monthOf(first);
        break;
      case 'Q':
        month = `(${between(value, 1, 4)} * 3 - 2)`;
        day = '1';
        break;
      case 'd':
      case 'e':
        day = between(value, 1, 31);
        break;
      case 'j':
        dayOfYear = between(value, 1, 366);
        break;
      case 'H':
        [hour, isHalf] = [between(value, 0, 23), false];
        break;
      case 'k':
        hour = between(value, 0, 23);
        break;
      case 'I':
      case 'l':
        [hour, isHalf] = [`(${between(value, 1, 12)} % 12)`, true];
        break;
      case 'P':
      case 'p':
        half = first;
        break;
      case 'M':
        minute = between(value, 0, 59);
        break;
      case 'u':
        between(value, 1, 7);
        break;
      case 'w':
        between(value, 0, 6);
        break;
      case 's':
        unixSeconds = between(value, -62_135_596_800, 253_402_300_799);
        break;
      case 'z':
      case 'Ez':
      case 'Z': {
        const minutes = number(group(next + 2));
        const total = `(${number(group(next + 1))} * 60 + ${minutes})`;
        valid.push(`${minutes} < 60`, `${total} <= ${WIDEST_OFFSET_MINUTES}`);
        offset = `(CASE WHEN ${first} = '-' THEN -1 ELSE 1 END * ${total})`;
        break;
      }
      case 'A':
      case 'a':
        break;
      default:
        second = between(value, 0, 60);
        // A second 60 has no fraction.
        if (readingOf(code, false).groups === 2) {
          const digits = `rpad(substring(${group(next + 1)}, 1, 6), 6, '0')`;
          fraction = `(CASE WHEN ${value} = 60 OR ${group(next + 1)} = '' THEN 0 ELSE ${number(digits)} END)`;
        } else if (code === 'S' || code === 'E0S') fraction = fraction === '0' ? '0' : fraction;
    }
    next += readingOf(code, false).groups;
  }
  if (century !== null) year = `(${century} * 100 + ${ofCentury ?? '0'})`;
  const ofHalf = isHalf && half !== null ? `(${hour} + CASE WHEN lower(${half}) = 'pm' THEN 12 ELSE 0 END)` : hour;
  if (dayOfYear === null) valid.push(`${day} <= ${daysOfMonth(year, month)}`);
  else valid.push(`${dayOfYear} <= CASE WHEN ${isLeap(year)} THEN 366 ELSE 365 END`);
  valid.push(`${year} BETWEEN 1 AND 9999`);
  const clock = `(((${ofHalf} * 60 + ${minute}) * 60 + ${second}) * 1000000 + ${fraction})`;
  const isValid = (unixSeconds === null ? valid : valid.filter((test) => !test.startsWith(year))).join(' AND ');
  return { isValid: isValid === '' ? 'TRUE' : isValid, year, month, day, dayOfYear, clock, offset, unixSeconds };
}

const MONTH_STARTS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function monthOf(name: string): string {
  const branches = MONTH_STARTS.map((start, index) => `WHEN '${start}' THEN ${index + 1}`);
  return `(CASE lower(left(${name}, 3)) ${branches.join(' ')} ELSE 0 END)`;
}

function isLeap(year: string): string {
  return `(${year} % 4 = 0 AND (${year} % 100 <> 0 OR ${year} % 400 = 0))`;
}

export function daysOfMonth(year: string, month: string): string {
  return (
    `(CASE WHEN ${month} IN (4, 6, 9, 11) THEN 30 WHEN ${month} <> 2 THEN 31 ` +
    `WHEN ${isLeap(year)} THEN 29 ELSE 28 END)`
  );
}

function literally(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]/gu, (character) => `\\x{${(character.codePointAt(0) as number).toString(16)}}`);
}
