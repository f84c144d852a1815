/** Holds the rows of an HTTP answer against hand-written ones. A benchmark of wrong answers would mean nothing. */
import { isDeepStrictEqual } from 'node:util';
import type { Cell } from './hand-written';
import type { Question } from './questions';

type Rows = readonly (readonly Cell[])[];

/** @throws when the answer is not what the hand-written statement found. */
export function ensureSameRows(question: Question, handWritten: Rows, body: Buffer): void {
  const { result } = JSON.parse(body.toString('utf8')) as { result: Record<string, unknown>[] };
  const answered = result.map((row) =>
    Object.values(row).map((cell, column) => (question.recordColumns.includes(column) ? unwrapped(cell) : cell))
  );
  const expected = handWritten.map((row) =>
    row.map((cell, column) => (question.recordColumns.includes(column) ? JSON.parse(String(cell)) : cell) as unknown)
  );
  const isRight =
    question.comparison === 'same' ? isDeepStrictEqual(answered, expected) : isLaterView(answered, expected);
  if (!isRight) {
    throw new Error(
      `"${question.name}" over HTTP differs from hand-written SQL:\n${JSON.stringify(answered.slice(0, 3))}\n${JSON.stringify(expected.slice(0, 3))}`
    );
  }
}

/** Arrays of one record, as HTTP answers have them, back to the record. */
function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isRecord = value.length === 1 && typeof value[0] === 'object' && value[0] !== null;
    return isRecord ? unwrapped(value[0]) : value.map(unwrapped);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unwrapped(inner)]));
}

/**
 * The window has moved on: whole buckets may be missing at its start, the first one left may have lost events, the rest
 * is the same.
 */
function isLaterView(answered: readonly unknown[][], expected: readonly unknown[][]): boolean {
  const offset = expected.length - answered.length;
  if (answered.length === 0 || offset < 0 || offset > 5) return false;
  return answered.every((row, at) => {
    const before = expected[at + offset] as unknown[];
    if (at > 0) return isDeepStrictEqual(row, before);
    return row[0] === before[0] && row.slice(1).every((count, column) => Number(count) <= Number(before[column + 1]));
  });
}
