/**
 * What a merge of row groups takes. DuckDB has all values of the merged row groups in memory, also those of columns
 * that are empty, and merges in any table of the file at a checkpoint, one table after another. Large rows are worse:
 * see `LargeRows`.
 */
import { ROW_GROUP_ROWS } from '../file/database';
import type { Part } from '../tables/part';
import type { LargeRows } from './large-rows';

/** A merge writes at most three full row groups. */
const MERGED_ROWS = 3 * ROW_GROUP_ROWS;
/** Limits these values, of 8 bytes each at least, to three eighths of the memory. */
const MERGED_VALUES_PER_MIB = 49_152;

/**
 * @param rowsOf rows of a table, about
 * @returns false when a merge in one of the parts could take most of the memory
 */
export function isMergeCheap(
  parts: Iterable<Pick<Part, 'table' | 'columns'>>,
  rowsOf: (table: string) => number,
  memoryLimitMb: number,
  large: Pick<LargeRows, 'isHeavy'>
): boolean {
  for (const { table, columns } of parts) {
    if (large.isHeavy(table)) return false;
    const values = Math.min(rowsOf(table), MERGED_ROWS) * columns.size;
    if (values > memoryLimitMb * MERGED_VALUES_PER_MIB) return false;
  }
  return true;
}
