/** What a plan contains at any depth. */
import type { Expr } from '../expression';
import type { QueryPlan, RelationPlan } from '../plan';
import { PlanWalk } from './plan-walk';

export class Survey extends PlanWalk {
  /** FROM items that read a source. */
  scans = 0;
  /** FROM items that read a WITH query. */
  tableReads = 0;
  /** Whether an expression has another value each time it is evaluated. */
  isVolatile = false;
  private largestRelation = 0;

  constructor(plan: QueryPlan) {
    super();
    this.plan(plan);
  }

  /** A number that no relation of the plan has. */
  get freeRelation(): number {
    return this.largestRelation + 1;
  }

  protected override relation(relation: RelationPlan): void {
    const { id, input } = relation;
    this.largestRelation = Math.max(this.largestRelation, id);
    if (input.kind === 'scan') this.scans += 1;
    if (input.kind === 'common-table') {
      this.tableReads += 1;
      this.plan(input.table.plan);
    }
    super.relation(relation);
  }

  protected override expr(expr: Expr): void {
    if (expr.kind === 'call' && (expr.fn === 'random' || expr.fn === 'random_uuid')) this.isVolatile = true;
    super.expr(expr);
  }
}
