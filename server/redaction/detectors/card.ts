/**
 * Payment card numbers: 13 to 19 digits that begin as the large schemes' do, whose Luhn checksum is right (ISO/IEC 7812), written together or in
 * groups with one blank, dash or plus between. Not: digits that are part of a longer number, of a fraction, of a word or of a UUID.
 */
import type { Detector, Report } from '../detector';
import { DIGIT, DOT, SEPARATOR } from '../escapes';

/** The first digits by scheme: Visa 4; Mastercard 51-55, 2221-2720; American Express 34, 37; Diners 30, 36, 38, 39; JCB 35; others 50, 56-65, 67. */
const START = /(?<![\p{L}\p{N}]|\d\.)(?:4|5[0-8]|2[2-7]|3[04-9]|6[0-57])/gu;
const UUID = /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/gi;
const UUID_LENGTH = 36;
/** Cheaper to look for, and in every number. */
const HINT = /\d(?:[ +-]?\d){12}/;
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

export const card: Detector = {
  kind: 'card',
  seesThroughEscapes: true,
  find: findCards,
  // Without the checksum, which RE2 cannot compute, and with all digits that follow: what is left must not begin
  // where a number has just been cut off.
  source: [
    {
      before: `(?:^\\.?|[^0-9.]|[^0-9]\\.|[%u][0-9A-Fa-f]{2,4}\\.?)`,
      secret: `(?:${PREFIX})${SEPARATED}{11,}(?:${DOT}?${SEPARATED})*`,
    },
  ],
};

function findCards(text: string, report: Report): void {
  if (!HINT.test(text)) return;
  START.lastIndex = 0;
  for (let match = START.exec(text); match !== null; match = START.exec(text)) {
    const end = cardEnd(text, match.index);
    if (end === undefined) continue;
    START.lastIndex = end;
    if (!isInUuid(text, match.index, end)) report(match.index, end);
  }
}

function isInUuid(text: string, start: number, end: number): boolean {
  const from = Math.max(0, start - UUID_LENGTH);
  return [...text.slice(from, end + UUID_LENGTH).matchAll(UUID)].some(
    ({ index }) => from + index < end && from + index + UUID_LENGTH > start
  );
}

/** The end of the longest card number at a place. */
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

/** From the right, every second digit counts double, and the sum ends with 0. */
function passesLuhn(digits: readonly number[]): boolean {
  const sum = digits.reduceRight((total, digit, index) => {
    if ((digits.length - index) % 2 === 1) return total + digit;
    return total + (digit > 4 ? digit * 2 - 9 : digit * 2);
  }, 0);
  return sum % 10 === 0;
}
