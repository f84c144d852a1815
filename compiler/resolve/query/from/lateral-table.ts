/** LATERAL: the rows of a query that reads the row to its left are a list of that row. */
import type { JoinedItem, LateralTable, QueryExpression, SelectBody, UnnestItem } from '../../../ast';
import { selectAll, selectsAs } from '../../../ast/select';
import { failure } from '../../failure';

/** @throws wrong_arguments for a join that would keep rows without a row to their left */
export function lateralRows({ query, alias, position }: LateralTable, { join }: JoinedItem): UnnestItem {
  if (join === 'RIGHT' || join === 'FULL') {
    throw failure('wrong_arguments', `LATERAL cannot stand to the right of ${join} JOIN`, position, {
      hint: 'write LEFT JOIN LATERAL (...) AS x ON TRUE',
    });
  }
  const open = (rows: QueryExpression): UnnestItem => ({
    kind: 'unnest',
    array: { kind: 'array-subquery', query: rows, position },
    alias,
    offset: null,
    position,
  });
  if (selectsAs(query.body, 'VALUE')) return open(query);
  const body: SelectBody = { ...selectAll({ kind: 'derived', query, alias: null, position }, position), as: 'STRUCT' };
  return { ...open({ kind: 'query', with: [], body, orderBy: [], limit: null, position }), isTable: true };
}
