/** Prints GROUP BY and HAVING, and what reads the groups. */
import { callOf, isCall } from '../../ir/operations/call';
import { atSiteOf } from '../../ir/sites';
import { BOOL } from '../../ir/types';
import { some, withChildren } from '../../ir/walk/children';
import type { Expr } from '../../ir/expression';
import { areConstantKeys } from '../../ir/passes/groups/constant-keys';
import { expressionKey } from '../../ir/passes/expression-key';
import type { SelectPlan } from '../../ir/plan';
import type { RowNames } from '../dialect/dialect';
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
    const print = keys === undefined ? ofRows : (expr: Expr) => dialect.within([keys], expr);
    const conditions = new Set((select.groupBy ?? []).filter(isCondition).map(expressionKey));
    this.ofGroups = conditions.size === 0 ? print : (expr) => print(withoutNegated(expr, conditions));
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
      const isConstant = this.moreKeys.length === 0 && areConstantKeys(groupBy, this.select.from);
      return {
        groupBy: ` GROUP BY ${keys.join(', ')}`,
        having: isConstant ? this.dialect.groupsOfConstants(own) : own,
      };
    }
    // A block whose aggregates have all been pruned must still return one row.
    const values = having === null ? read : [...read, having];
    return this.dialect.groupOfAll(
      values.some((expr) => some(expr, isAggregate)),
      own
    );
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
  private keyRow(): RowNames | undefined {
    const { groupBy, groupingSets } = this.select;
    if (groupBy === null || groupingSets) return undefined;
    const keys = groupBy.filter((key) => this.dialect.keyForm(key) !== null);
    if (keys.length === 0) return undefined;
    const texts = new Map(keys.map((key) => [expressionKey(key), this.key(key)]));
    return { isGroup: true, nameOf: (expr) => texts.get(expressionKey(expr)) };
  }
}

function isCondition({ kind, type }: Expr): boolean {
  return kind === 'call' && type.kind === 'BOOL';
}

/** Compares keys with FALSE instead of negating them: DuckDB reads `NOT a = b` as `a <> b`, which is no key. */
function withoutNegated(expr: Expr, keys: ReadonlySet<string>): Expr {
  const negatedKey = (part: Expr): Expr | undefined =>
    isCall(part, 'not') ? part.args.find((arg) => keys.has(expressionKey(arg))) : undefined;
  const replaced = (part: Expr): Expr => {
    const key = negatedKey(part);
    if (key !== undefined) return callOf('eq', [key, { kind: 'literal', type: BOOL, value: false }], BOOL);
    const readsRows = part.kind === 'aggregate' && part.over === null;
    if (readsRows || !some(part, (inner) => negatedKey(inner) !== undefined)) return part;
    return atSiteOf(part, withChildren(part, replaced));
  };
  return replaced(expr);
}

/** The text of an expression as a key. */
export function asKey(dialect: Pick<PlanDialect, 'keyForm'>, sql: string, expr: Expr): string {
  return dialect.keyForm(expr)?.(sql) ?? sql;
}

function isAggregate(expr: Expr): boolean {
  return expr.kind === 'aggregate' && expr.over === null;
}
