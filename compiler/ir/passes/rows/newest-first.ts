/**
 * Finds queries for the newest rows of one source. With an order that begins with the time, latest first, all rows of a
 * newer part (a day) precede those of older parts, so older parts are not read once the limit is reached.
 */
import { some } from '../../walk/children';
import type { Expr } from '../../expression';
import type { QueryPlan, RelationPlan, ScanInput, SelectPlan } from '../../plan';
import type { Reachable } from '../reachable';

/** @returns the scan whose parts may be read one after the other; undefined when the query needs them together */
export function newestFirstScan(plan: QueryPlan, reachable: Reachable): ScanInput | undefined {
  const [first] = plan.orderBy;
  if (first?.direction !== 'DESC' || plan.offset !== null || plan.body.kind !== 'select' || plan.body.distinct) {
    return undefined;
  }
  const key = first.output === null ? first.expr : outputOf(plan.body, first.output);
  return key && rowByRow(plan.body) ? timeOfScan(key, plan.body, reachable) : undefined;
}

/** Whether each row of the block comes from one input row. */
export function rowByRow(select: SelectPlan): boolean {
  if (select.groupBy !== null || select.qualify !== null || select.distinct) return false;
  return select.outputs.every(({ expr }) => !some(expr, ({ kind }) => kind === 'aggregate'));
}

function timeOfScan(key: Expr, select: SelectPlan, reachable: Reachable): ScanInput | undefined {
  const relation = select.from?.kind === 'relation' ? select.from : undefined;
  if (relation === undefined || key.kind !== 'column' || key.relation !== relation.id) return undefined;
  const { input } = relation;
  if (input.kind === 'scan') return key.name === 'timestamp' ? input : undefined;
  const inner = soleQuery(relation, reachable);
  if (inner?.body.kind !== 'select' || inner.limit !== null || inner.offset !== null || !rowByRow(inner.body))
    return undefined;
  const output = outputOf(inner.body, key.name);
  return output && timeOfScan(output, inner.body, reachable);
}

/** The query behind a relation, if nothing else reads it. */
export function soleQuery({ input }: RelationPlan, reachable: Reachable): QueryPlan | undefined {
  if (input.kind === 'derived') return input.plan;
  return input.kind === 'common-table' && reachable.readers(input.table) === 1 ? input.table.plan : undefined;
}

export function outputOf(select: SelectPlan, name: string): Expr | undefined {
  return select.outputs.find((output) => output.name === name)?.expr;
}
