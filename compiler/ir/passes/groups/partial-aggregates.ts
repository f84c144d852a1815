/** Aggregates whose value for all rows follows from the values for parts of the rows. */
import type { AggregateExpr } from '../../expression';
import type { AggregateName } from '../../operations/ops';
import type { Type } from '../../types';

export type Merge = Extract<AggregateName, 'sum' | 'min' | 'max' | 'logical_and' | 'logical_or'>;

/**
 * The aggregate of the partial values; undefined if no aggregate gives the same value. Not AVG: DuckDB divides
 * with more digits than FLOAT64 has. Not ANY_VALUE and sums of FLOAT64: they depend on the order of the rows.
 */
export function mergeOf(call: AggregateExpr): Merge | undefined {
  if (call.orderBy.length > 0 || call.limit !== null || call.ignoreNulls || call.safe) return undefined;
  const { fn, distinct } = call;
  switch (fn) {
    case 'count_rows':
    case 'count':
    case 'count_if':
      return distinct ? undefined : 'sum';
    case 'sum':
      return distinct || call.type.kind !== 'INT64' || call.args[0]?.type.kind !== 'INT64' ? undefined : 'sum';
    case 'min':
    case 'max':
      return isPackable(call.type) || call.type.kind === 'FLOAT64' ? fn : undefined;
    case 'logical_and':
    case 'logical_or':
      return fn;
    default:
      return undefined;
  }
}

/** Types of keys. Not FLOAT64: of equal keys that differ, such as 0 and -0, either may be shown. */
export function isPackable({ kind }: Type): boolean {
  switch (kind) {
    case 'STRING':
    case 'INT64':
    case 'BOOL':
    case 'TIMESTAMP':
    case 'DATETIME':
    case 'DATE':
    case 'TIME':
      return true;
    default:
      return false;
  }
}
