import { isCall } from '../../operations/call';
import { some } from '../../walk/children';
import type { QueryPlan } from '../../plan';

/** Whether a query chooses rows at random. */
export function isSample({ body }: QueryPlan): boolean {
  return (
    body.kind === 'select' &&
    body.where.some((condition) => some(condition, (expr) => isCall(expr, 'random', 'random_uuid')))
  );
}
