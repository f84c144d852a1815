/** Keys of groups that have one value for all rows, also where a query in FROM names the constant. */
import type { Expr } from '../../expression';
import type { FromPlan } from '../../plan';
import { some } from '../../walk/children';
import { relationOf } from '../relation-of';

/**
 * Whether no key reads a value that differs between the rows of FROM; a column of the rows around does not differ. A
 * column is followed as often as its expression is written out, which has a limit.
 */
export function areConstantKeys(keys: readonly Expr[], from: FromPlan | null): boolean {
  return !keys.some((key) => some(key, (expr) => isRowValue(expr, from)));
}

function isRowValue(expr: Expr, from: FromPlan | null): boolean {
  if (expr.kind === 'lazy-record') return true;
  if (expr.kind !== 'column' || from === null) return false;
  const relation = relationOf(expr.relation, from);
  if (relation === undefined) return false;
  const { input } = relation;
  const plan = input.kind === 'derived' ? input.plan : input.kind === 'common-table' ? input.table.plan : null;
  if (plan?.body.kind !== 'select') return true;
  const output = plan.body.outputs.find(({ name }) => name === expr.name);
  return output === undefined || !areConstantKeys([output.expr], plan.body.from);
}
