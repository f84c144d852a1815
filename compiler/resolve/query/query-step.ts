/** Queries between FROM and a block, which a resolver makes for values that are computed first. */
import type { SourcePosition } from '../../ast';
import { sizeOf } from '../../ir/walk/children';
import type { ColumnExpr, Expr } from '../../ir/expression';
import type { FromPlan } from '../../ir/plan';
import type { QueryDraft, SelectDraft } from '../drafts';
import { QueryRelation } from '../relations/query-relation';
import type { Resolution } from '../resolution';
import { ResolvedSelect } from './select/resolved-select';

/** A query whose columns are made on demand, as a FROM item of another. */
export class QueryStep {
  private readonly query: ResolvedSelect;
  private readonly relation: QueryRelation;

  constructor(
    resolution: Resolution,
    select: Pick<SelectDraft, 'from' | 'where' | 'groupBy' | 'groupingSets' | 'having'>,
    private readonly position: SourcePosition
  ) {
    const body: SelectDraft = { kind: 'select', distinct: false, outputs: [], qualify: null, ...select };
    const plan: QueryDraft = {
      kind: 'query',
      body,
      orderBy: [],
      limit: null,
      offset: null,
      value: null,
      ordered: false,
    };
    this.query = new ResolvedSelect(resolution, plan, body, []);
    this.relation = resolution.register((id) => new QueryRelation(id, this.query, null));
  }

  get from(): FromPlan {
    return this.relation.plan;
  }

  /** The value of an expression over the rows of this query, as its reader sees it. */
  column(expr: Expr): ColumnExpr {
    const { id } = this.relation;
    const name = this.query.add(expr);
    return {
      kind: 'column',
      relation: id,
      name,
      type: expr.type,
      size: sizeOf(expr),
      display: 'key',
      position: this.position,
    };
  }
}
