/**
 * Parses a text by a format: the format becomes one pattern (RE2), and SQL that both stores know computes the fields of
 * the time from its groups. Elements are read one after the other, as GoogleSQL does: the last one that gives a field
 * wins, and blanks in the format are any number of blanks.
 */
import type { FormatElement } from '../../../time/time-format';
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

export function parsedFields(elements: readonly FormatElement[], syntax: GroupSyntax): ParsedFields {
  const time = new TimeOfGroups(syntax);
  let group = 2;
  for (const element of elements) {
    if (element.kind === 'text') continue;
    time.read(element.code, group);
    group += readingOf(element.code, false).groups;
  }
  return time.fields();
}

/** Groups of one element. */
interface Groups {
  /** Text of the first group, and this text as a number. */
  readonly text: string;
  readonly value: string;
  /** Number of the first group. */
  readonly at: number;
}

type Reader = (time: TimeOfGroups, groups: Groups) => void;

/** The fields that the elements read so far give. */
class TimeOfGroups {
  year = '1970';
  century: string | null = null;
  yearOfCentury: string | null = null;
  isCenturyWritten = false;
  month = '1';
  day = '1';
  dayOfYear: string | null = null;
  hour = '0';
  isHalf = false;
  half: string | null = null;
  minute = '0';
  second = '0';
  fraction = '0';
  offset: string | null = null;
  unixSeconds: string | null = null;
  private readonly valid: string[] = [];

  constructor(private readonly syntax: GroupSyntax) {}

  /** @param at number of the element's first group */
  read(code: string, at: number): void {
    const text = this.syntax.group(at);
    const reader = READERS[code] ?? secondsReader(code);
    reader(this, { text, value: this.syntax.number(text), at });
  }

  /** The value, which has to be within the bounds. */
  between(value: string, low: number, high: number): string {
    this.valid.push(`${value} BETWEEN ${low} AND ${high}`);
    return value;
  }

  readOffset({ text, at }: Groups): void {
    const { group, number } = this.syntax;
    const minutes = number(group(at + 2));
    const total = `(${number(group(at + 1))} * 60 + ${minutes})`;
    this.valid.push(`${minutes} < 60`, `${total} <= ${WIDEST_OFFSET_MINUTES}`);
    this.offset = `(CASE WHEN ${text} = '-' THEN -1 ELSE 1 END * ${total})`;
  }

  readFraction({ value, at }: Groups): void {
    const text = this.syntax.group(at + 1);
    const digits = this.syntax.number(`rpad(substring(${text}, 1, 6), 6, '0')`);
    // A second 60 has no fraction.
    this.fraction = `(CASE WHEN ${value} = 60 OR ${text} = '' THEN 0 ELSE ${digits} END)`;
  }

  fields(): ParsedFields {
    const { century, month, day, dayOfYear, half, hour, minute, second, fraction, offset, unixSeconds } = this;
    const year = century === null ? this.year : `(${century} * 100 + ${this.yearOfCentury ?? '0'})`;
    const ofHalf =
      this.isHalf && half !== null ? `(${hour} + CASE WHEN lower(${half}) = 'pm' THEN 12 ELSE 0 END)` : hour;
    const dayTest =
      dayOfYear === null
        ? `${day} <= ${daysOfMonth(year, month)}`
        : `${dayOfYear} <= CASE WHEN ${isLeap(year)} THEN 366 ELSE 365 END`;
    const valid = [...this.valid, dayTest, `${year} BETWEEN 1 AND 9999`];
    const clock = `(((${ofHalf} * 60 + ${minute}) * 60 + ${second}) * 1000000 + ${fraction})`;
    const isValid = (unixSeconds === null ? valid : valid.filter((test) => !test.startsWith(year))).join(' AND ');
    return { isValid: isValid === '' ? 'TRUE' : isValid, year, month, day, dayOfYear, clock, offset, unixSeconds };
  }
}

const fourDigits: Reader = (time, { value }) => {
  time.year = value;
  time.century = null;
  time.yearOfCentury = null;
  time.isCenturyWritten = false;
};
const month: Reader = (time, { text }) => {
  time.month = monthOf(text);
};
const day: Reader = (time, { value }) => {
  time.day = time.between(value, 1, 31);
};
const halfHour: Reader = (time, { value }) => {
  time.hour = `(${time.between(value, 1, 12)} % 12)`;
  time.isHalf = true;
};
const half: Reader = (time, { text }) => {
  time.half = text;
};
const offset: Reader = (time, groups) => time.readOffset(groups);
const nothing: Reader = () => undefined;

/** Readers of all elements but seconds. */
const READERS: Readonly<Record<string, Reader>> = {
  Y: fourDigits,
  E4Y: fourDigits,
  C: (time, { value }) => {
    if (time.century === null) time.yearOfCentury = '0';
    time.century = value;
    time.isCenturyWritten = true;
  },
  y: (time, { value }) => {
    time.yearOfCentury = value;
    if (!time.isCenturyWritten) time.century = `(CASE WHEN ${value} < 69 THEN 20 ELSE 19 END)`;
  },
  m: (time, { value }) => {
    time.month = time.between(value, 1, 12);
  },
  B: month,
  b: month,
  Q: (time, { value }) => {
    time.month = `(${time.between(value, 1, 4)} * 3 - 2)`;
    time.day = '1';
  },
  d: day,
  e: day,
  j: (time, { value }) => {
    time.dayOfYear = time.between(value, 1, 366);
  },
  H: (time, { value }) => {
    time.hour = time.between(value, 0, 23);
    time.isHalf = false;
  },
  k: (time, { value }) => {
    time.hour = time.between(value, 0, 23);
  },
  I: halfHour,
  l: halfHour,
  P: half,
  p: half,
  M: (time, { value }) => {
    time.minute = time.between(value, 0, 59);
  },
  u: (time, { value }) => {
    time.between(value, 1, 7);
  },
  w: (time, { value }) => {
    time.between(value, 0, 6);
  },
  s: (time, { value }) => {
    time.unixSeconds = time.between(value, -62_135_596_800, 253_402_300_799);
  },
  z: offset,
  Ez: offset,
  Z: offset,
  A: nothing,
  a: nothing,
};

/** @param code of seconds, with or without a fraction */
function secondsReader(code: string): Reader {
  const hasFraction = readingOf(code, false).groups === 2;
  return (time, groups) => {
    time.second = time.between(groups.value, 0, 60);
    if (hasFraction) time.readFraction(groups);
  };
}

const MONTH_STARTS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function monthOf(name: string): string {
  const branches = MONTH_STARTS.map((start, index) => `WHEN '${start}' THEN ${index + 1}`);
  return `(CASE lower(left(${name}, 3)) ${branches.join(' ')} ELSE 0 END)`;
}

function isLeap(year: string): string {
  return `(${year} % 4 = 0 AND (${year} % 100 <> 0 OR ${year} % 400 = 0))`;
}

/** SQL of the number of days in a month of known number, which both stores read. */
export function daysOfMonth(year: string, month: string): string {
  return (
    `(CASE WHEN ${month} IN (4, 6, 9, 11) THEN 30 WHEN ${month} <> 2 THEN 31 ` +
    `WHEN ${isLeap(year)} THEN 29 ELSE 28 END)`
  );
}

function literally(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]/gu, (character) => `\\x{${(character.codePointAt(0) as number).toString(16)}}`);
}
