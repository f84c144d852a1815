/**
 * Sums of whole numbers that are within INT64 whatever the events are: of counts of groups that are read once each, and
 * of small constants. No statement reads 2^53 rows.
 */
import { children } from '../../walk/children';
import type { AggregateExpr, Expr } from '../../expression';
import type { CommonTablePlan, FromPlan, QueryPlan, RelationPlan, SelectPlan } from '../../plan';
import { PlanWalk } from '../plan-walk';

/** 2^53 times as much is within INT64. */
const SMALL = 512n;

export class BoundedSums extends PlanWalk {
  private readonly found = new Set<AggregateExpr>();
  private readonly tables = new Set<CommonTablePlan>();

  constructor(plan: QueryPlan) {
    super();
    this.plan(plan);
  }

  has(call: AggregateExpr): boolean {
    return this.found.has(call);
  }

  protected override relation(relation: RelationPlan): void {
    const { input } = relation;
    if (input.kind === 'common-table' && !this.tables.has(input.table)) {
      this.tables.add(input.table);
      this.plan(input.table.plan);
    }
    super.relation(relation);
  }

  protected override select(select: SelectPlan): void {
    super.select(select);
    const { outputs, having, qualify, from } = select;
    const counts = from === null ? NO_COUNTS : countsOf(from);
    for (const { expr } of outputs) this.find(expr, counts);
    if (having) this.find(having, counts);
    if (qualify) this.find(qualify, counts);
  }

  private find(expr: Expr, counts: Counts): void {
    const isSum = expr.kind === 'aggregate' && expr.fn === 'sum' && expr.type.kind === 'INT64' && expr.over === null;
    if (isSum && expr.args.every((added) => isBounded(added, counts))) this.found.add(expr);
    children(expr).forEach((child) => this.find(child, counts));
  }
}

/** A FROM item whose rows are read once each, and its columns that count rows of groups. */
interface Counts {
  readonly relation: number | null;
  readonly names: ReadonlySet<string>;
}

const NO_COUNTS: Counts = { relation: null, names: new Set() };

function countsOf(from: FromPlan): Counts {
  if (from.kind === 'join' || from.unnests.length > 0) return NO_COUNTS;
  const { id, input } = from;
  if (input.kind !== 'derived' && input.kind !== 'common-table') return NO_COUNTS;
  if (input.kind === 'common-table' && input.table.recursion) return NO_COUNTS;
  const { body } = input.kind === 'derived' ? input.plan : input.table.plan;
  // With several grouping sets a row is counted several times.
  if (body.kind !== 'select' || body.groupingSets) return NO_COUNTS;
  const counted = body.outputs.filter(
    ({ expr }) => expr.kind === 'aggregate' && expr.over === null && expr.fn.startsWith('count')
  );
  return { relation: id, names: new Set(counted.map(({ name }) => name)) };
}

function isBounded(added: Expr, counts: Counts): boolean {
  switch (added.kind) {
    case 'literal':
      return added.value === null || (typeof added.value === 'bigint' && added.value <= SMALL && -added.value <= SMALL);
    case 'column':
      return added.relation === counts.relation && counts.names.has(added.name);
    case 'case': {
      const { branches, otherwise } = added;
      return (
        branches.every(({ then }) => isBounded(then, counts)) && (otherwise === null || isBounded(otherwise, counts))
      );
    }
    case 'cast':
      return added.operand.type.kind === 'BOOL';
    case 'call':
      return added.fn === 'coalesce' && added.args.every((value) => isBounded(value, counts));
    default:
      return false;
  }
}
