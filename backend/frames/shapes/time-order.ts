/** Sorts rows by a time column and drops rows without a time, as expressions and graphs require. */
import { integersOf, takeRows } from '../column-data';
import type { Column } from '../frame';

export function inTimeOrder(
  time: Column,
  columns: readonly Column[],
  length: number
): { columns: readonly Column[]; length: number } {
  const nanos = integersOf(time);
  if (time.data.nullCount === 0 && isAscending(nanos, length)) return { columns, length };
  const rows: number[] = [];
  for (let row = 0; row < length; row++) if (time.data.nullCount === 0 || time.data.getValid(row)) rows.push(row);
  // The sort is stable: rows of the same time keep their order.
  rows.sort((a, b) => compare(nanos[a] as bigint, nanos[b] as bigint));
  return { columns: columns.map((column) => takeRows(column, rows)), length: rows.length };
}

function isAscending(nanos: BigInt64Array, length: number): boolean {
  for (let row = 1; row < length; row++) if ((nanos[row] as bigint) < (nanos[row - 1] as bigint)) return false;
  return true;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
