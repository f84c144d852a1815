/** Queries whose rows come from no source. */
import type { FromPlan, QueryPlan } from '../../plan';

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
      // A recursive query would be entered without end.
      return input.table.recursion === undefined && hasConstantRows(input.table.plan);
    case 'derived':
      return hasConstantRows(input.plan);
    default:
      return true;
  }
}
