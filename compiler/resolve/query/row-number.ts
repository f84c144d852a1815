/** The number of a row, which is never NULL. */
import { aggregateOf, callOf } from '../../ir/operations/call';
import type { Expr } from '../../ir/expression';
import { BOOL, INT64 } from '../../ir/types';

export const ROW_NUMBER = aggregateOf('row_number', [], INT64, { partitionBy: [], orderBy: [], frame: null });

/** A condition with windows, for QUALIFY: folding and pruning could remove them all, and stores require one. */
export function windowCondition(condition: Expr): Expr {
  return callOf('and', [condition, callOf('is_not_null', [ROW_NUMBER], BOOL)], BOOL);
}
