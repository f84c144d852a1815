/** Limit of the columns of a query, of which each makes the statement and every row longer. */
import type { SourcePosition } from '../../../ast';
import { failure } from '../../failure';

export const MAX_COLUMNS = 200;

/** @param subject what has the columns: `the query` @throws too_complex */
export function ensureFewColumns(count: number, subject: string, position: SourcePosition): void {
  if (count <= MAX_COLUMNS) return;
  throw failure('too_complex', `${subject} has more than ${MAX_COLUMNS} columns`, position, { limit: MAX_COLUMNS });
}
