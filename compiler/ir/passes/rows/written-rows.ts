/** Tables that are written into a query: `SELECT 1 AS n UNION ALL SELECT 2`. */
import { some } from '../../walk/children';
import type { Expr } from '../../expression';
import type { QueryPlan, SelectPlan, SetPlan } from '../../plan';

/** Kinds of expressions that read rows of others. */
const READING: ReadonlySet<Expr['kind']> = new Set(['column', 'lazy-record', 'aggregate', 'subquery', 'in-subquery']);

/** @returns the rows in the order in which they are written; null: the query is no such table */
export function writtenRows({ operator, branches }: SetPlan): readonly SelectPlan[] | null {
  if (operator !== 'UNION ALL') return null;
  const rows: SelectPlan[] = [];
  for (const branch of branches) {
    const row = writtenRow(branch);
    if (row === null) return null;
    rows.push(row);
  }
  return rows;
}

function writtenRow({ body, limit, offset }: QueryPlan): SelectPlan | null {
  if (body.kind === 'set' || limit !== null || offset !== null) return null;
  const { from, where, groupBy, having, qualify, outputs } = body;
  const isOneRow = from === null && where.length === 0 && groupBy === null && having === null && qualify === null;
  return isOneRow && outputs.every(({ expr }) => !some(expr, ({ kind }) => READING.has(kind))) ? body : null;
}
