/** Classifies unquoted values. */
import type { SourcePosition } from '../../ast';
import { LEVELS, type FieldTest, type Level, type Scalar } from '../rules';
import { readCalendarPoint, readPoint } from '../time/read-point';

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export function isNumberText(text: string): boolean {
  return NUMBER.test(text);
}

export function isLevel(text: string): text is Level {
  const levels: readonly string[] = LEVELS;
  return levels.includes(text);
}

/** Does not handle `NULL`, which is not a value of a column. */
export function classifyBare(text: string, position: SourcePosition): Scalar {
  return { type: typeOf(text), text, position };
}

function typeOf(text: string): Scalar['type'] {
  if (text === 'true' || text === 'false') return 'boolean';
  if (isNumberText(text)) return 'number';
  const point = readCalendarPoint(text);
  if (point === null) return 'string';
  return point.kind === 'day' ? 'date' : 'datetime';
}

/**
 * Recognizes `a..b` if both sides are numbers, or both are times, one may be a Unix time; other texts with dots
 * are text.
 */
export function classifyRange(text: string, position: SourcePosition): Extract<FieldTest, { kind: 'range' }> | null {
  const at = text.indexOf('..');
  if (at < 0) return null;
  const middle = { ...position, end: position.offset + at };
  const low = classifyBare(text.slice(0, at), middle);
  const high = classifyBare(text.slice(at + 2), {
    ...position,
    offset: position.offset + at + 2,
    column: position.column + at + 2,
  });
  const isNumeric = low.type === 'number' && high.type === 'number';
  const isOfTimes = (isTime(low) || isTime(high)) && readPoint(low.text) !== null && readPoint(high.text) !== null;
  return isNumeric || isOfTimes ? { kind: 'range', low, high } : null;
}

function isTime({ type }: Scalar): boolean {
  return type === 'date' || type === 'datetime';
}
