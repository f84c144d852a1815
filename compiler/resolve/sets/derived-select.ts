/** A SELECT over a resolved query, which the resolver makes itself. */
import type { SourcePosition } from '../../ast';
import type { Value } from '../../functions/function';
import { columnValue } from '../relations/demand';
import { QueryRelation } from '../relations/query-relation';
import type { Resolution } from '../resolution';
import { plainBlock } from '../query/select/plain-block';
import type { ResolvedQuery, SelectColumn } from '../query/resolved-query';
import type { ResolvedSelect } from '../query/select/resolved-select';
import { itemAt } from '../../items';

/** @param columns makes the columns; `read` returns the value of a column of the query */
export function selectOf(
  resolution: Resolution,
  query: ResolvedQuery,
  position: SourcePosition,
  columns: (read: (index: number) => Value) => SelectColumn[]
): ResolvedSelect {
  const relation = resolution.register((id) => new QueryRelation(id, query, null));
  const read = (index: number): Value => {
    const { name, type } = itemAt(query.columns, index);
    const at = query.positions[index] ?? position;
    return columnValue(resolution, relation.id, index, type, { display: name, position: at });
  };
  return plainBlock(resolution, { from: relation.plan }, columns(read));
}
