/** Values of a column as the labels of series and numbers. */
import { valueAt } from '../column-data';
import type { Column } from '../frame';

/**
 * NULL is the empty text; in a column that has empty texts too, it is `NULL`, so that the rows of both stay apart.
 *
 * @returns the label of a row
 */
export function labelText(column: Column, length: number): (row: number) => string {
  const get = valueAt(column);
  let hasNull = false;
  let hasEmpty = false;
  for (let row = 0; row < length; row++) {
    const value = get(row);
    if (value === null) hasNull = true;
    else if (value === '') hasEmpty = true;
  }
  const absent = hasNull && hasEmpty ? 'NULL' : '';
  return (row) => String(get(row) ?? absent);
}
