import { sortText, type SortKey } from '../../dialect/dialect';

/** ClickHouse sorts NaN to the same end as NULL. */
function isNaNInPlace({ direction, nulls }: Pick<SortKey, 'direction' | 'nulls'>): boolean {
  return (direction === 'ASC') === (nulls === 'FIRST');
}

export function orderKey(key: SortKey): string {
  return sortText(key, key.mayBeNaN && !isNaNInPlace(key) ? `isNaN(${key.sql})` : null);
}
