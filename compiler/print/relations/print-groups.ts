/** Prints GROUP BY and HAVING, and what reads the groups. */
import { some } from '../../ir/walk/children';
import type { Expr } from '../../ir/expression';
import { expressionKey } from '../../ir/passes/expression-key';
import type { SelectPlan } from '../../ir/plan';
import type { ListedRow } from '../dialect/dialect';
import type { PlanDialect } from '../dialect/relation-dialect';
import { conditionText } from './print-from';

export interface GroupText {
  readonly groupBy: string;
  readonly having: readonly string[];
}

export class GroupPrinter {
  /** Prints an expression of the groups: like `ofRows` if there are none. */
  readonly ofGroups: (expr: Expr) => string;

  /** @param ofRows prints an expression of the rows @param moreKeys printed keys behind those of the block */
  constructor(
    private readonly dialect: PlanDialect,
    private readonly select: SelectPlan,
    private readonly ofRows: (expr: Expr) => string,
    private readonly moreKeys: readonly string[]
  ) {
    const keys = this.keyRow();
    this.ofGroups = keys === undefined ? ofRows : (expr) => dialect.within([keys], expr);
  }

  /** @param read the outputs that are printed */
  clauses(read: readonly Expr[]): GroupText {
    const { groupBy, groupingSets, having } = this.select;
    const own = having === null ? [] : [conditionText(this.dialect, having, this.ofGroups(having))];
    if (groupBy === null) return { groupBy: '', having: own };
    if (groupingSets) {
      const keys = groupBy.map((key) => this.nullableKey(key));
      const sets = groupingSets.map((set) => `(${set.map((place) => keys[place]).join(', ')})`);
      return { groupBy: ` GROUP BY GROUPING SETS (${sets.join(', ')})`, having: own };
    }
    if (groupBy.length > 0) {
      const keys = [...groupBy.map((key) => this.key(key)), ...this.moreKeys];
      return { groupBy: ` GROUP BY ${keys.join(', ')}`, having: own };
    }
    // A block whose aggregates have all been pruned must still return one row.
    const values = having === null ? read : [...read, having];
    const all = this.dialect.groupOfAll(values.some((expr) => some(expr, isAggregate)));
    return { groupBy: all.groupBy, having: [...all.having, ...own] };
  }

  /** An output of the block. Those of grouping sets are keys and aggregates. */
  output(expr: Expr): string {
    return this.select.groupingSets && expr.kind === 'column' ? this.nullableKey(expr) : this.ofGroups(expr);
  }

  private key(key: Expr): string {
    return asKey(this.dialect, this.ofRows(key), key);
  }

  private nullableKey(key: Expr): string {
    return this.dialect.groupingKey(asKey(this.dialect, this.dialect.expression(key), key), key.type);
  }

  /** The keys by their texts, if the store groups by others than those of the rows. */
  private keyRow(): ListedRow | undefined {
    const { groupBy, groupingSets } = this.select;
    if (groupBy === null || groupingSets) return undefined;
    const keys = groupBy.filter((key) => this.dialect.keyForm(key) !== null);
    if (keys.length === 0) return undefined;
    const texts = new Map(keys.map((key) => [expressionKey(key), this.key(key)]));
    return { isGroup: true, nameOf: (expr) => texts.get(expressionKey(expr)) };
  }
}

/** The text of an expression as a key. */
export function asKey(dialect: Pick<PlanDialect, 'keyForm'>, sql: string, expr: Expr): string {
  return dialect.keyForm(expr)?.(sql) ?? sql;
}

function isAggregate(expr: Expr): boolean {
  return expr.kind === 'aggregate' && expr.over === null;
}
