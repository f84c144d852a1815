/**
 * The rows of a block before grouping, with what aggregates read of the group of a row: the largest value of a key
 * (HAVING MAX), or aggregates of an inner group. These are windows over the rows, partitioned by the keys of the block.
 */
import type { SourcePosition } from '../../../ast';
import { isConstant } from '../../../ir/operations/call';
import { withChildren } from '../../../ir/walk/children';
import type { AggregateExpr, ColumnExpr, Expr, WindowExpr } from '../../../ir/expression';
import type { Resolution } from '../../resolution';
import { QueryStep } from '../query-step';
import { readsGroup } from './grouping';

export class RankedRows {
  private readonly ranked: QueryStep;

  constructor(
    resolution: Resolution,
    private readonly rows: QueryStep,
    position: SourcePosition
  ) {
    const select = { from: rows.from, where: [], groupBy: null, groupingSets: null, having: null };
    this.ranked = new QueryStep(resolution, select, position);
  }

  get from(): QueryStep['from'] {
    return this.ranked.from;
  }

  /**
   * An expression over the rows of the block, as a column.
   * @param keys of the groups, as expressions of the block
   */
  column(expr: Expr, keys: readonly Expr[]): ColumnExpr {
    return this.ranked.column(this.lifted(expr, keys));
  }

  private lifted(expr: Expr, keys: readonly Expr[]): Expr {
    if (!readsGroup(expr)) return this.plain(expr);
    if (expr.kind !== 'aggregate' || expr.over === null) return withChildren(expr, (child) => this.lifted(child, keys));
    const { over, ...call } = withChildren(expr, (child) => this.plain(child)) as AggregateExpr;
    const { partitionBy, orderBy, frame } = over as WindowExpr;
    const partitions = [...keys.map((key) => this.plain(key)), ...partitionBy];
    return { ...call, over: { partitionBy: partitions, orderBy, frame } };
  }

  private plain(expr: Expr): Expr {
    return isConstant(expr) ? expr : this.rows.column(expr);
  }
}
