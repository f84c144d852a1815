/** Queries whose rows come from no source. */
import type { CommonTablePlan, FromPlan, QueryPlan } from '../../plan';

/** Each WITH query may read the one before several times. */
const known = new WeakMap<CommonTablePlan, boolean>();

/** Whether all rows of FROM are constants, as in a table of names written into the query. Expressions do not count. */
export function hasConstantRows({ body }: QueryPlan): boolean {
  return body.kind === 'set' ? body.branches.every(hasConstantRows) : body.from === null || areConstant(body.from);
}

function areConstant(from: FromPlan): boolean {
  if (from.kind === 'join') return areConstant(from.left) && areConstant(from.right);
  const { input } = from;
  switch (input.kind) {
    case 'scan':
      return false;
    case 'common-table':
      return isConstantTable(input.table);
    case 'derived':
      return hasConstantRows(input.plan);
    default:
      return true;
  }
}

function isConstantTable(table: CommonTablePlan): boolean {
  // A recursive query would be entered without end.
  if (table.recursion !== undefined) return false;
  const found = known.get(table) ?? hasConstantRows(table.plan);
  known.set(table, found);
  return found;
}
