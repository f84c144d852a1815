/** Correlation: what a part of a query reads, and which of that belongs to outer queries. */
import type { ColumnExpr, Expr } from '../../expression';
import type { FromPlan, QueryPlan, RelationPlan } from '../../plan';
import { PlanWalk } from '../plan-walk';

/** A column, or a value taken from one without computation: a field, a redacted text. */
export interface Read {
  readonly expr: Expr;
  readonly column: ColumnExpr;
}

export type QueryPart = Expr | QueryPlan | FromPlan;

/** All reads of the parts at any depth, without expressions inside of a recorded read. */
export function readsOf(...parts: readonly QueryPart[]): readonly Read[] {
  return new Walk(parts).reads;
}

/** Reads of outer queries. */
export function outerReads(...parts: readonly QueryPart[]): readonly Read[] {
  const { reads, own } = new Walk(parts);
  return reads.filter(({ column }) => !own.has(column.relation));
}

/** Column that an expression is, or from which it takes its value. */
export function columnBelow(expr: Expr): ColumnExpr | undefined {
  switch (expr.kind) {
    case 'column':
      return expr;
    case 'redacted':
      return columnBelow(expr.operand);
    case 'struct-field':
    case 'json-field':
      return columnBelow(expr.base);
    default:
      return undefined;
  }
}

/** Relations of a FROM clause, without those of nested queries. */
export function relationsOf(from: FromPlan): readonly number[] {
  return from.kind === 'relation' ? [from.id] : [...relationsOf(from.left), ...relationsOf(from.right)];
}

class Walk extends PlanWalk {
  readonly own = new Set<number>();
  readonly reads: Read[] = [];

  constructor(parts: readonly QueryPart[]) {
    super();
    for (const part of parts) {
      if (part.kind === 'query') this.plan(part);
      else if (part.kind === 'relation' || part.kind === 'join') this.from(part);
      else this.expr(part);
    }
  }

  protected override relation(relation: RelationPlan): void {
    this.own.add(relation.id);
    super.relation(relation);
  }

  protected override expr(expr: Expr): void {
    const column = columnBelow(expr);
    if (column === undefined) super.expr(expr);
    else this.reads.push({ expr, column });
  }
}
