/**
 * Payment card numbers: 13 to 19 digits with the prefix of a large scheme and a valid Luhn checksum (ISO/IEC 7812),
 * without separators or in groups separated by one blank, dash or plus; in groups of the lengths on cards also with
 * dots, underscores, tabs, or typographic blanks and dashes; also after the format code of a magnetic stripe
 * (`%B4111…^`). Not: digits that are part of a longer number, a fraction, a word or a UUID, and numbers whose name
 * marks them as a measurement (`duration_ms=…`).
 */
import type { Detector, Report } from '../detector';
import { DIGIT, DOT, GROUP_MARK, GROUP_SEPARATOR, SEPARATOR } from '../escapes';

/**
 * The first digits by scheme: Visa 4; Mastercard 51-55, 2221-2720; American Express 34, 37; Diners 30, 36, 38, 39; JCB
 * 35; others 50, 56-65, 67.
 */
const START = /(?:(?<![\p{L}\p{N}]|\d\.)|(?<=(?<![\p{L}\p{N}])B))(?:4|5[0-8]|2[2-7]|3[04-9]|6[0-57])/gu;
const UUID = /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/gi;
const UUID_LENGTH = 36;
/** Cheap test that every card number passes. */
const HINT = new RegExp(`[2-6](?:[0-9]|(?:[ +-]|${GROUP_MARK})[0-9]){12}`);
/** Groups of four, or of four, six and the rest, with one mark between all. */
const GROUPS = new RegExp(
  `[0-9]{4}(${GROUP_MARK})(?:[0-9]{4}\\1[0-9]{4}\\1[0-9]{1,4}(?:\\1[0-9]{1,3})?|[0-9]{6}\\1[0-9]{4,5})(?!\\1?[0-9]|\\p{L}|\\.[0-9])`,
  'uy'
);
/** Length of the text before a number that can mark it as a measurement. */
const LEAD = 48;
const MEASURE_BEFORE =
  /(?:(?:duration|elapsed|latency|took|uptime|timestamp|time|epoch|bytes|size|length|offset|lsn|txid|xid|seq|sequence|cursor)(?:[-_.]?(?:ms|us|ns|msec|usec|nsec|micros|millis|nanos|seconds|secs?))?|[-_.](?:ms|us|ns|ts|micros|millis|nanos|msec|usec|nsec|bytes|seconds|secs?))[\\"']{0,8} ?[=:] ?$/i;
const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

const SEPARATED = `(?:${SEPARATOR}?${DIGIT})`;
const prefixDigit = (digits: string): string => `(?:[${digits}]|(?:%3|\\\\u003)[${digits}])`;
const PREFIX = [
  prefixDigit('4'),
  `${prefixDigit('5')}${prefixDigit('0-8')}`,
  `${prefixDigit('2')}${prefixDigit('2-7')}`,
  `${prefixDigit('3')}${prefixDigit('04-9')}`,
  `${prefixDigit('6')}${prefixDigit('0-57')}`,
].join('|');

const BEFORE = '(?:^\\.?|[^0-9.]|[^0-9]\\.|[%u][0-9A-Fa-f]{2,4}\\.?)';

export const card: Detector = {
  kind: 'card',
  seesThroughEscapes: true,
  find: findCards,
  // Without the checksum, which RE2 cannot compute, and with all digits that follow: what is left must not begin
  // where a number has just been cut off.
  source: [
    {
      before: BEFORE,
      secret: `(?:${PREFIX})${SEPARATED}{11,}(?:${DOT}?${SEPARATED})*|${prefixDigit('2-6')}${DIGIT}{3}${GROUP_SEPARATOR}(?:${DIGIT}{4}${GROUP_SEPARATOR}${DIGIT}{4}|${DIGIT}{6})${GROUP_SEPARATOR}${DIGIT}(?:(?:${GROUP_SEPARATOR}|${SEPARATOR})?${DIGIT})*`,
      hint: `(?:^|[^0-9]|[%u][0-9A-Fa-f]{2,4})\\.?${prefixDigit('2-6')}(?:(?:${GROUP_SEPARATOR}|${SEPARATOR})?${DIGIT}){10}`,
    },
  ],
};

function findCards(text: string, report: Report): void {
  if (!HINT.test(text)) return;
  START.lastIndex = 0;
  for (let match = START.exec(text); match !== null; match = START.exec(text)) {
    const start = match.index;
    const end = cardEnd(text, start) ?? groupsEnd(text, start);
    if (end === undefined) continue;
    START.lastIndex = end;
    if (text[start - 1] === 'B' && text[end] !== '^') continue;
    if (!isInUuid(text, start, end) && !isMeasure(text, start, end)) report(start, end);
  }
}

function groupsEnd(text: string, start: number): number | undefined {
  GROUPS.lastIndex = start;
  const [found] = GROUPS.exec(text) ?? [];
  const digits = found?.replace(/[^0-9]/g, '') ?? '';
  if (found === undefined || digits.length < MIN_DIGITS || digits.length > MAX_DIGITS) return undefined;
  return passesLuhn([...digits].map(Number)) ? start + found.length : undefined;
}

function isMeasure(text: string, start: number, end: number): boolean {
  return /^[0-9]+$/.test(text.slice(start, end)) && MEASURE_BEFORE.test(text.slice(Math.max(0, start - LEAD), start));
}

function isInUuid(text: string, start: number, end: number): boolean {
  const from = Math.max(0, start - UUID_LENGTH);
  return [...text.slice(from, end + UUID_LENGTH).matchAll(UUID)].some(
    ({ index }) => from + index < end && from + index + UUID_LENGTH > start
  );
}

/** End of the longest card number that starts here. */
function cardEnd(text: string, start: number): number | undefined {
  const digits: number[] = [];
  let end: number | undefined;
  let at = start;
  while (digits.length < MAX_DIGITS) {
    const digit = digitAt(text, at);
    if (digit === undefined) break;
    digits.push(digit);
    at += 1;
    const isWhole = digitAt(text, at) === undefined && !/^(?:\p{L}|\.\d)/u.test(text.slice(at, at + 2));
    if (isWhole && digits.length >= MIN_DIGITS && passesLuhn(digits)) end = at;
    const next = text[at];
    if ((next === ' ' || next === '-' || next === '+') && digitAt(text, at + 1) !== undefined) at += 1;
  }
  return end;
}

function digitAt(text: string, at: number): number | undefined {
  const digit = text.charCodeAt(at) - 0x30;
  return digit >= 0 && digit <= 9 ? digit : undefined;
}

/** Luhn checksum: counting from the right, every second digit is doubled, and the sum must end with 0. */
function passesLuhn(digits: readonly number[]): boolean {
  const sum = digits.reduceRight((total, digit, index) => {
    if ((digits.length - index) % 2 === 1) return total + digit;
    return total + (digit > 4 ? digit * 2 - 9 : digit * 2);
  }, 0);
  return sum % 10 === 0;
}
