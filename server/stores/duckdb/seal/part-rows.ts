/** Rows of a part with the columns of a sealed one. */
import type { PhysicalType } from '#compiler/store';
import { duckDbType } from '../tables/column-types';
import type { Part } from '../tables/part';
import { quoteName, quotePart } from '../tables/quoting';

/** A select of the columns, NULL where the part has none. Values of another type are converted as queries do it. */
export function printPartRows(part: Part, columns: Iterable<readonly [string, PhysicalType]>): string {
  const items = [...columns].map(([name, type]) => {
    if (part.columns.get(name) === type) return quoteName(name);
    return `TRY_CAST(${part.columns.has(name) ? quoteName(name) : 'NULL'} AS ${duckDbType(type)}) AS ${quoteName(name)}`;
  });
  return `SELECT ${items.join(', ')} FROM ${quotePart(part)}`;
}
