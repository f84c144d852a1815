/** Aggregates over rows in a list. */
import type { GroupOps } from '../../../ir/operations/ops';
import type { AggregatePrinters } from '../../dialect/dialect';
import { aggregatesBy } from '../aggregates';

/** Aggregates whose result for an empty list needs no `OrNull`. */
const OF_NO_ROWS = /^(?:count|countIf|uniq|uniqExact|groupArray|groupArrayDistinct|sumMapIf)$/;

/** @param alias names a row in the arguments of the aggregates @param rows a short text */
export function listAggregates(alias: string, rows: string): AggregatePrinters<GroupOps> {
  return aggregatesBy((name, args) => {
    if (args.length === 0) return `length(${rows})`;
    const each = args.map((arg) => `arrayMap(${alias} -> ${arg}, ${rows})`);
    // Inserted after the function name, before its parameters.
    const aggregate = OF_NO_ROWS.test(name) ? name : name.replace(/^\w+/, '$&OrNull');
    return `arrayReduce('${aggregate}', ${each.join(', ')})`;
  });
}
