/** Sorting and filtering of rows that are on the page. */
import type { ResultField } from '#contract/queries/result';
import type { Row, Value } from '../../api/run-query';
import { isNumberType, plainText, formatValue } from '../values/format-value';

export interface Order {
  readonly column: string;
  readonly isDescending: boolean;
}

/** Rows in another order; equal ones keep theirs. NULL comes last both ways. */
export function orderRows(rows: readonly Row[], columns: readonly ResultField[], order: Order | null): readonly Row[] {
  const column = columns.find(({ name }) => name === order?.column);
  if (order === null || column === undefined) return rows;
  const sign = order.isDescending ? -1 : 1;
  const compare = comparison(column.type);
  return [...rows].sort((a, b) => {
    const [left, right] = [a[column.name] ?? null, b[column.name] ?? null];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * compare(left, right);
  });
}

function comparison(type: string): (a: Value, b: Value) => number {
  // INT64 beyond 2^53 are texts of digits.
  if (type === 'INT64') return (a, b) => compareWhole(a, b);
  if (isNumberType(type) || type === 'TIMESTAMP') return (a, b) => Number(a) - Number(b);
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  return (a, b) => compare(formatValue(a, type), formatValue(b, type));
}

function compareWhole(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [BigInt(plainText(a)), BigInt(plainText(b))];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Texts of rows that were searched, so that the next letter finds them. */
const TEXTS = new WeakMap<readonly Row[], readonly string[]>();

/** Rows of which any value holds the text, without regard to case. */
export function filterRows(rows: readonly Row[], columns: readonly ResultField[], text: string): readonly Row[] {
  const sought = text.trim().toLowerCase();
  if (sought === '') return rows;
  let texts = TEXTS.get(rows);
  if (texts === undefined) TEXTS.set(rows, (texts = rows.map((row) => textOf(row, columns))));
  return rows.filter((_, at) => texts[at]!.includes(sought));
}

/** A character that no one types is between values. */
function textOf(row: Row, columns: readonly ResultField[]): string {
  return columns
    .map(({ name, type }) => formatValue(row[name] ?? null, type))
    .join('\0')
    .toLowerCase();
}
