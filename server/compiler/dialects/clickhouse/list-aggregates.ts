/** Aggregates of rows in a list. */
import type { Dialect } from '../dialect';
import { aggregatesBy } from './aggregates';

/** What gives something for no rows as it is. */
const OF_NO_ROWS = /^(?:count|countIf|uniq|uniqExact|groupArray|groupArrayDistinct|sumMapIf)$/;

/** @param alias of a row, in the arguments of the aggregates @param rows a short text */
export function listAggregates(alias: string, rows: string): Dialect['aggregates'] {
  return aggregatesBy((name, args) => {
    if (args.length === 0) return `length(${rows})`;
    const each = args.map((arg) => `arrayMap(${alias} -> ${arg}, ${rows})`);
    // Behind the name itself, before its parameters.
    const aggregate = OF_NO_ROWS.test(name) ? name : name.replace(/^\w+/, '$&OrNull');
    return `arrayReduce('${aggregate}', ${each.join(', ')})`;
  });
}
