import { sortText, type SortKey } from '../../dialect/dialect';

/** DuckDB sorts NaN above all numbers. */
export function orderKey(key: SortKey): string {
  return sortText(key, key.mayBeNaN ? `isnan(${key.sql})` : null);
}
