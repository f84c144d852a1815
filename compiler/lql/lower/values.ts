/** Converts values to constants of a column's type, which determines how a value is read. */
import type { Expression } from '../../ast';
import { shortTypeName, type Type } from '../../ir/types';
import { printPath } from '../encode/print-path';
import { lqlError } from '../errors';
import { isNumberText } from '../parser/classify';
import type { Scalar, TimePoint } from '../rules';
import { hexOfText } from '../../sql/lexer/read-bytes';
import { readTimeOfDay } from '../../time/time-text';
import { readPoint } from '../time/read-point';
import { withArticle, type Access } from './access';
import { binary, bool, fraction, text, whole } from './tree';

const SMALLEST = -(2n ** 63n);
const LARGEST = 2n ** 63n - 1n;
/** An integer, including forms like `1e3`. Longer digits never fit. */
const WHOLE = /^(-?\d{1,19})(?:[eE]\+?(\d{1,2}))?$/;

/** Reads a value as the column's type, other than a time. @throws type_mismatch */
export function constant(value: Scalar, type: Type, column: Access): Expression {
  const { position } = value;
  switch (type.kind) {
    case 'INT64': {
      const number = wholeNumber(value.text);
      if (number === null) throw mismatch(value, type, column, 'a whole number');
      // SQL cannot write the smallest integer: its digits without the sign are out of range.
      return number === SMALLEST
        ? binary(whole(number + 1n, position), '-', whole(1, position))
        : whole(number, position);
    }
    case 'FLOAT64': {
      const number = isNumberText(value.text) ? Number(value.text) : NaN;
      if (!Number.isFinite(number)) throw mismatch(value, type, column, 'a number');
      return fraction(number, position);
    }
    case 'BOOL':
      if (value.text !== 'true' && value.text !== 'false') throw mismatch(value, type, column, 'true or false');
      return bool(value.text === 'true', position);
    case 'BYTES':
      return { kind: 'literal', literal: { type: 'bytes', hex: hexOfText(value.text) }, position };
    case 'TIME':
      if (readTimeOfDay(value.text) === null) throw mismatch(value, type, column, 'a time of day such as 08:30:00');
      return { kind: 'typed-literal', type: 'TIME', text: value.text, position };
    default:
      return text(value.text, position);
  }
}

/** Reads a value as a time: date, datetime or Unix time, with or without quotes. @throws type_mismatch */
export function timePoint(value: Scalar, type: Type, column: Access): TimePoint {
  const point = readPoint(value.text);
  if (point === null) throw mismatch(value, type, column, 'a date, a datetime or a Unix time');
  return point;
}

function wholeNumber(written: string): bigint | null {
  const [, digits, exponent] = WHOLE.exec(written) ?? [];
  if (digits === undefined) return null;
  const number = BigInt(digits) * 10n ** BigInt(exponent ?? 0);
  return number < SMALLEST || number > LARGEST ? null : number;
}

function mismatch(
  { text: written, position }: Scalar,
  type: Type,
  { path, type: whole }: Access,
  wanted: string
): Error {
  const shown = written.length > 60 ? `${written.slice(0, 60)}…` : written;
  const name = shortTypeName(type);
  const what = whole.kind === 'ARRAY' ? `a list of ${name}` : `${withArticle(name)} column`;
  return lqlError('type_mismatch', `"${printPath(path)}" is ${what}; "${shown}" is not ${wanted}`, position, {
    hint: `write ${wanted}, or use another column`,
  });
}
