import { sortText, type SortKey } from '../../dialect/dialect';

/** Whether NULL is at the end where GoogleSQL has it by default. */
export function isByDefault({ direction, nulls }: Pick<SortKey, 'direction' | 'nulls'>): boolean {
  return (direction === 'ASC') === (nulls === 'FIRST');
}

/** ClickHouse sorts NaN to the same end as NULL. */
export function orderKey(key: SortKey): string {
  return sortText(key, key.mayBeNaN && !isByDefault(key) ? `isNaN(${key.sql})` : null);
}
