/** Rows of a part with the columns of a sealed one. */
import type { PhysicalType } from '#compiler/store';
import { duckDbType } from '../tables/column-types';
import type { Part } from '../tables/part';
import { quoteName, quotePart } from '../tables/quoting';

/** A select of the columns, NULL where the part has none. */
export function printPartRows(part: Part, columns: Iterable<readonly [string, PhysicalType]>): string {
  const items = [...columns].map(([name, type]) =>
    part.columns.has(name) ? quoteName(name) : `CAST(NULL AS ${duckDbType(type)}) AS ${quoteName(name)}`
  );
  return `SELECT ${items.join(', ')} FROM ${quotePart(part)}`;
}
