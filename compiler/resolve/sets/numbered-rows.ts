/**
 * INTERSECT ALL and EXCEPT ALL: equal rows of each branch are numbered, so that the n-th of them is compared with the
 * n-th of the other branch.
 */
import type { SourcePosition } from '../../ast';
import type { Expr } from '../../ir/expression';
import { INT64 } from '../../ir/types';
import { ROW_NUMBER } from '../query/row-number';
import type { Resolution } from '../resolution';
import { selectOf } from './derived-select';
import type { ResolvedQuery } from '../query/resolved-query';

/** The query with a last column: the number of the row among equal ones. */
export function numberedRows(resolution: Resolution, query: ResolvedQuery, position: SourcePosition): ResolvedQuery {
  return selectOf(resolution, query, position, (read) => {
    const columns = query.columns.map(({ name }, index) => ({ name, value: read(index) }));
    const partitionBy = columns.map(({ value }) => resolution.materialize(value));
    const expr: Expr = { ...ROW_NUMBER, over: { partitionBy, orderBy: [], frame: null } };
    return [...columns, { name: '', value: { expr, type: INT64, text: null, position } }];
  });
}
