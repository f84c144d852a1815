/** Prints FROM: relations, joins, and lists opened for each row. */
import { outerReads } from '../../ir/passes/correlation/correlation';
import { isCall } from '../../ir/operations/call';
import { mayFoldToNull } from '../../ir/passes/conditions/constant-part';
import { joinsByEquality } from '../../ir/passes/correlation/join-keys';
import type { Reachable } from '../../ir/passes/reachable';
import type { Expr } from '../../ir/expression';
import type { CommonTablePlan, FromPlan, JoinPlan, QueryPlan, RelationPlan } from '../../ir/plan';
import { joinChoices } from './join-choices';
import { conditionsNotRun, joinValues } from './join-values';
import type { ScanPrinter } from '../reads/print-scan';
import type { GroupColumn, PlanDialect } from '../dialect/relation-dialect';

export interface QueryPrinters {
  /** Prints a query in FROM, with all columns that are read of it. */
  readonly derived: (plan: QueryPlan) => string;
  /** Prints the name of a WITH query. */
  readonly table: (table: Pick<CommonTablePlan, 'name'>) => string;
}

export class FromPrinter {
  /** Columns that conditions of joins add to a relation, by its id. */
  private readonly choices = new Map<number, readonly string[]>();

  constructor(
    private readonly dialect: PlanDialect,
    private readonly reachable: Reachable,
    private readonly scans: ScanPrinter,
    private readonly queries: QueryPrinters
  ) {}

  /** @param added further columns of a relation, `expression AS name` */
  print(from: FromPlan, added: readonly string[] = []): string {
    if (from.kind === 'relation') return this.relation(from, added);
    const notRun = this.dialect.joinsBySubqueries ? [] : conditionsNotRun(from);
    const chosen = this.addChoices(from, notRun);
    const left = this.print(from.left);
    const lateral = this.lateral(from.right, left, from.join === 'LEFT');
    if (lateral !== undefined) return lateral;
    const right =
      from.right.kind === 'join'
        ? this.dialect.joinGroup(this.print(from.right), this.readColumns(from.right), groupAlias(from.right))
        : this.print(from.right);
    if (from.join === 'CROSS' && from.on.length === 0) return `${left} CROSS JOIN ${right}`;
    const word = from.join === 'CROSS' ? 'INNER' : from.join;
    if (from.on.length === 0) return `${left} ${word} JOIN ${right} ON TRUE`;
    const guarded = this.guardedJoin(from, left, right);
    if (guarded !== undefined) return guarded;
    const values = joinValues(this.dialect, notRun, valuesAlias(from.right));
    if (values !== undefined || chosen.size > 0) {
      const nameOf = (expr: Expr): string | undefined => chosen.get(expr) ?? values?.nameOf(expr);
      const conditions = from.on.map((expr) => `(${this.dialect.within([{ nameOf }], expr)})`);
      const rows = values === undefined ? right : `(${right} CROSS JOIN ${values.item})`;
      return `${left} ${word} JOIN ${rows} ON ${conditions.join(' AND ')}`;
    }
    const isLoose = word !== 'INNER' && !joinsByEquality(from);
    const key = isLoose ? this.dialect.looseJoinKey(this.someColumn(from.left), this.keyOfRight(from.right)) : '';
    const [one, other] = isLoose ? [this.keyed(from.left, left), this.keyed(from.right, right)] : [left, right];
    return `${one} ${word} JOIN ${other} ON ${key}${from.on.map((expr) => this.joinCondition(expr, word)).join(' AND ')}`;
  }

  /** Adds columns to relations below a join. @returns their texts by what they compute */
  private addChoices(join: JoinPlan, conditions: readonly Expr[]): ReadonlyMap<Expr, string> {
    const names = new Map<Expr, string>();
    for (const { expr, relation } of joinChoices(join, conditions)) {
      const items = this.choices.get(relation.id) ?? [];
      const name = this.dialect.quoteIdentifier(`in${items.length + 1}`);
      this.choices.set(relation.id, [...items, `${this.dialect.expression(expr)} AS ${name}`]);
      names.set(expr, `${relationAlias(relation.id)}.${name}`);
    }
    return names;
  }

  private keyOfRight(from: FromPlan): string {
    const isUnread = from.kind === 'join' && this.readColumns(from).length === 0;
    return isUnread ? `${groupAlias(from)}.*` : this.someColumn(from);
  }

  /** A side of a join without an equality, as one that has a column for a key. */
  private keyed(from: FromPlan, text: string): string {
    const isDerived = from.kind === 'relation' && from.input.kind === 'derived';
    return isDerived && this.readColumns(from).length === 0 ? this.dialect.keyed(text, relationAlias(from.id)) : text;
  }

  private joinCondition(expr: Expr, word: string): string {
    const sql = `(${this.dialect.expression(expr)})`;
    // The equality of an outer join must be visible.
    const isKey = word !== 'INNER' && isCall(expr, 'eq');
    const isBare = word === 'INNER' && isOfColumns(expr);
    return isBare || (!isKey && mayFoldToNull(expr)) ? this.dialect.nullAsFalse(sql) : sql;
  }

  /**
   * Prints an outer join whose condition is correlated; stores with LATERAL apply such a condition to the rows of one
   * side only.
   */
  private guardedJoin({ join, left, right, on }: JoinPlan, leftText: string, rightText: string): string | undefined {
    if (join !== 'LEFT' && join !== 'RIGHT') return undefined;
    const [optional, kept, rows] = join === 'LEFT' ? [right, leftText, rightText] : [left, rightText, leftText];
    if (optional.kind !== 'relation' || outerReads(left, right, ...on).length === outerReads(left, right).length)
      return undefined;
    const alias = relationAlias(optional.id);
    return `${kept} LEFT JOIN LATERAL (SELECT * FROM ${rows}${whereClause(this.dialect, on)}) AS ${alias} ON TRUE`;
  }

  /** A column of a FROM item, or all of it if no column is read. */
  someColumn(from: FromPlan): string {
    const [column] = this.readColumns(from);
    if (column) return `${column.relation}.${this.dialect.quoteIdentifier(column.name)}`;
    return from.kind === 'join' ? this.someColumn(from.left) : `${relationAlias(from.id)}.*`;
  }

  private readColumns(from: FromPlan): readonly GroupColumn[] {
    if (from.kind === 'join') return [...this.readColumns(from.left), ...this.readColumns(from.right)];
    const relation = relationAlias(from.id);
    const opened = from.unnests.flatMap(({ element, offset }) => (offset === null ? [element] : [element, offset]));
    return [...this.reachable.columns(from.id), ...opened].map((name) => ({ relation, name }));
  }

  private relation(relation: RelationPlan, shared: readonly string[]): string {
    const alias = relationAlias(relation.id);
    const added = [...shared, ...(this.choices.get(relation.id) ?? [])];
    if (added.length > 0) {
      const own = this.readColumns(relation).map(({ name }) => `${alias}.${this.dialect.quoteIdentifier(name)}`);
      return `(SELECT ${[...own, ...added].join(', ')} FROM ${this.input(relation)} AS ${alias}) AS ${alias}`;
    }
    let text = this.lateral(relation, null, false) ?? `${this.input(relation)} AS ${alias}`;
    for (const unnest of relation.unnests)
      text = `${this.dialect.unnested(text, alias, unnest, this.dialect.expression(unnest.list))} AS ${alias}`;
    return text;
  }

  private lateral(from: FromPlan, left: string | null, keepsLeft: boolean): string | undefined {
    if (from.kind !== 'relation' || from.input.kind !== 'list' || !from.input.lateral) return undefined;
    if (left !== null && from.unnests.length > 0) return undefined;
    const { id, input } = from;
    return this.dialect.lateral(left, relationAlias(id), input, this.dialect.expression(input.list), keepsLeft);
  }

  private input({ id, input }: RelationPlan): string {
    switch (input.kind) {
      case 'scan':
        return this.scans.print(input, [...this.reachable.columns(id)]);
      case 'common-table':
        return this.queries.table(input.table);
      case 'derived':
        return `(${this.queries.derived(input.plan)})`;
      case 'single-row':
        return '(SELECT 1)';
      case 'list':
        return this.dialect.listRows(input, this.dialect.expression(input.list));
    }
  }
}

/** Whether a condition compares nothing, as in `ON a.b OR a.b`, which ClickHouse simplifies to a column. */
function isOfColumns(expr: Expr): boolean {
  return (
    expr.kind === 'column' || expr.kind === 'subquery' || (isCall(expr, 'and', 'or') && expr.args.every(isOfColumns))
  );
}

/** The name of a row of values beside each row of the right side of a join. */
function valuesAlias(from: FromPlan): string {
  return `${groupAlias(from)}_values`;
}

/** The name of a join that is the right side of another one. */
function groupAlias(join: FromPlan): string {
  return join.kind === 'join' ? groupAlias(join.left) : `${relationAlias(join.id)}_group`;
}

export function relationAlias(id: number): string {
  return `t${id}`;
}

/** ` WHERE (...) AND (...)`; empty without conditions. */
export function whereClause(
  dialect: Pick<PlanDialect, 'expression' | 'nullAsFalse'>,
  conditions: readonly Expr[]
): string {
  if (conditions.length === 0) return '';
  return ` WHERE ${conditions.map((expr) => `(${conditionText(dialect, expr, dialect.expression(expr))})`).join(' AND ')}`;
}

/** A condition of WHERE and HAVING. @param sql the printed condition */
export function conditionText(dialect: Pick<PlanDialect, 'nullAsFalse'>, expr: Expr, sql: string): string {
  return expr.kind === 'subquery' ? dialect.nullAsFalse(sql) : sql;
}
