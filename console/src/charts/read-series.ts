/** Series of a result: its first time column, and its columns of numbers. */
import type { ResultField } from '#contract/queries/result';
import type { Row } from '../api/run-query';
import { isNumberType, millisOf } from '../results/values/format-value';

export interface Series {
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  /** Type of the column of times. DATETIME and DATE have no zone: they are shown as they are. */
  readonly timeType: string;
  readonly lines: ReadonlyArray<{ readonly name: string; readonly values: ReadonlyArray<number | null> }>;
}

/** More lines would need colors that look alike. */
const MAX_LINES = 8;

/** @returns null: the result has no time, no numbers, or several rows of one time */
export function readSeries(columns: readonly ResultField[], rows: readonly Row[]): Series | null {
  const time = columns.find(({ type }) => type === 'TIMESTAMP' || type === 'DATETIME' || type === 'DATE');
  const numbers = columns.filter(({ type }) => isNumberType(type)).slice(0, MAX_LINES);
  if (time === undefined || numbers.length === 0 || rows.length < 2) return null;
  const points = rows
    .map((row) => ({ row, millis: millisOf(row[time.name] ?? null, time.type) }))
    .filter((point): point is { row: Row; millis: number } => point.millis !== null)
    .sort((a, b) => a.millis - b.millis);
  if (points.some(({ millis }, at) => millis === points[at - 1]?.millis)) return null;
  return {
    times: points.map(({ millis }) => millis / 1000),
    timeType: time.type,
    lines: numbers.map(({ name }) => ({
      name,
      values: points.map(({ row }) => (row[name] === null || row[name] === undefined ? null : Number(row[name]))),
    })),
  };
}
