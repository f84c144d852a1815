/** Blocks that operators such as PIVOT make: rows, conditions and groups, without order or LIMIT. */
import type { QueryDraft, SelectDraft } from '../../drafts';
import type { Resolution } from '../../resolution';
import { ResolvedSelect } from './resolved-select';
import type { SelectColumn } from '../resolved-query';

interface PlainBlock {
  readonly from: SelectDraft['from'];
  readonly where?: SelectDraft['where'];
  readonly groupBy?: SelectDraft['groupBy'];
}

export function plainBlock(
  resolution: Resolution,
  { from, where = [], groupBy = null }: PlainBlock,
  columns: SelectColumn[]
): ResolvedSelect {
  const select: SelectDraft = {
    kind: 'select',
    distinct: false,
    outputs: [],
    from,
    where,
    groupBy,
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
  return new ResolvedSelect(resolution, plan, select, columns);
}
