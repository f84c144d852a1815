/** Rows of a part by their numbers, which do not change. */
import type { Part } from './part';

/** DuckDB's name for the number of a row, which a column of the same name hides. */
const ROW_NUMBER = 'rowid';

export function hidesRowNumbers({ columns }: { readonly columns: Pick<Part['columns'], 'has'> }): boolean {
  return columns.has(ROW_NUMBER);
}

/**
 * End of a select from a part that reads the rows from a number up to another, which is exclusive. Where a column hides
 * the numbers, the rows before them are read, too. In a UNION the select needs parentheses.
 */
export function printRowRange(part: Pick<Part, 'columns'>, from: number, to: number): string {
  if (!hidesRowNumbers(part)) return `WHERE ${ROW_NUMBER} >= ${from} AND ${ROW_NUMBER} < ${to}`;
  // DuckDB counts rows in the order in which they were inserted.
  const skipped = Math.max(0, from);
  return `LIMIT ${Math.max(0, to - skipped)} OFFSET ${skipped}`;
}
