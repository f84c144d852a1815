/**
 * Reads numeric literals. Integers are decimal digits, exact up to 2^63; literals with "." or "e" are
 * floats.
 */
import type { SourcePosition } from '../../ast/node';
import { syntaxError } from '../parse-errors';
import type { SourceText } from './source-text';

export interface NumberText {
  readonly kind: 'integer' | 'float';
  readonly value: string;
  readonly end: number;
}

const NUMBER = /0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD_REST = /[A-Za-z0-9_]*/y;
/** Digits of the smallest INT64, which only a minus makes a number of that type. */
export const DIGITS_OF_MINIMUM = '9223372036854775808';
/** Not a literal, which the types of the browser part do not know. */
const MAX_DIGITS = BigInt(DIGITS_OF_MINIMUM);

/** Units as other languages write them behind a number. */
const UNITS: ReadonlyMap<string, string> = new Map([
  ['ms', 'MILLISECOND'],
  ['s', 'SECOND'],
  ['m', 'MINUTE'],
  ['min', 'MINUTE'],
  ['h', 'HOUR'],
  ['d', 'DAY'],
  ['w', 'WEEK'],
]);

/** `start` is the offset of a digit, or of a dot before a digit. */
export function readNumber(source: SourceText, start: number): NumberText {
  const { text } = source;
  NUMBER.lastIndex = start;
  const written = NUMBER.exec(text)?.[0] ?? '';
  const end = start + written.length;
  WORD_REST.lastIndex = end;
  const rest = WORD_REST.exec(text)?.[0] ?? '';
  const fail = (problem: string, hint?: string) =>
    syntaxError(source.position(start, end), `${shortened(written + rest)} ${problem}`, hint);
  if (rest !== '') {
    const unit = UNITS.get(rest.toLowerCase());
    const isAmount = unit !== undefined && /^\d+$/.test(written);
    const hint = isAmount
      ? `an amount of time is written INTERVAL ${written} ${unit}`
      : 'a name that starts with a digit is written in backticks';
    throw fail('is not a number', hint);
  }
  if (/[.eE]/.test(written) && !/^0[xX]/.test(written)) {
    if (!Number.isFinite(Number(written))) throw fail('is out of range for FLOAT64');
    return { kind: 'float', value: written, end };
  }
  const digits = exactInteger(written);
  if (digits === null) throw outOfRange(source.position(start, end), written);
  return { kind: 'integer', value: digits, end };
}

export function outOfRange(position: SourcePosition, digits: string): Error {
  return syntaxError(position, `${shortened(digits)} is out of range for INT64`);
}

function exactInteger(written: string): string | null {
  const significant = written.replace(/^(0[xX])?0*/, '$1');
  // INT64 has at most 19 digits; skips BigInt for longer texts.
  if (significant.length > 19) return null;
  if (significant === '' || /^0[xX]$/.test(significant)) return '0';
  const value = BigInt(significant);
  return value > MAX_DIGITS ? null : value.toString();
}

function shortened(text: string): string {
  return `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`;
}
