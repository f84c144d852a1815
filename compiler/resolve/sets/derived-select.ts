/** A SELECT over a resolved query, which the resolver makes itself. */
import type { SourcePosition } from '../../ast';
import type { Value } from '../../functions/function';
import type { LogicalColumn } from '../../ir/plan';
import type { QueryDraft, SelectDraft } from '../drafts';
import { columnValue } from '../relations/demand';
import { QueryRelation } from '../relations/relation';
import type { Resolution } from '../resolution';
import { ResolvedSelect, type ResolvedQuery, type SelectColumn } from '../query/resolved-query';

/** @param columns makes the columns; `read` returns the value of a column of the query */
export function selectOf(
  resolution: Resolution,
  query: ResolvedQuery,
  position: SourcePosition,
  columns: (read: (index: number) => Value) => SelectColumn[]
): ResolvedSelect {
  const relation = resolution.register((id) => new QueryRelation(id, query, null));
  const read = (index: number): Value => {
    const { name, type } = query.columns[index] as LogicalColumn;
    const at = query.positions[index] ?? position;
    return columnValue(resolution, relation.id, index, type, { display: name, position: at });
  };
  const select: SelectDraft = {
    kind: 'select',
    distinct: false,
    outputs: [],
    from: relation.plan,
    where: [],
    groupBy: null,
    groupingSets: null,
    having: null,
    qualify: null,
  };
  const plan: QueryDraft = {
    kind: 'query',
    body: select,
    orderBy: [],
    limit: null,
    offset: null,
    value: null,
    ordered: false,
  };
  return new ResolvedSelect(resolution, plan, select, columns(read));
}
