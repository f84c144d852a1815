/**
 * Grouping in a query of its own: one query for the keys and the arguments of the aggregates, one that groups by plain
 * columns, and a block that computes everything else from its rows. A key is then one column, which is NULL in the rows
 * of sets without it, wherever the block reads it, also in its subqueries.
 */
import type { SourcePosition } from '../../../ast';
import type { AggregateExpr, ColumnExpr, Expr } from '../../../ir/expression';
import { callOf, isAggregate, isConstant } from '../../../ir/call';
import { expressionKey } from '../../../ir/passes/expression-key';
import type { FromPlan, QueryPlan } from '../../../ir/plan';
import { withChildren, type Replace } from '../../../ir/children';
import { withExpressions } from '../../../ir/rebuild';
import { NO_OPTIONS } from '../../../ir/ops';
import { BOOL, INT64 } from '../../../ir/types';
import type { SelectDraft } from '../../drafts';
import type { SelectAliases } from '../../names/select-aliases';
import type { Resolution } from '../../resolution';
import type { GroupingSets } from './grouping-sets';
import { QueryStep } from '../query-step';

export interface GroupedRows {
  readonly from: FromPlan;
  /** An expression of the block, read from the grouped rows. */
  readonly replace: Replace;
}

export function groupedRows(
  resolution: Resolution,
  { from, where }: Pick<SelectDraft, 'from' | 'where'>,
  grouping: GroupingSets,
  aliases: SelectAliases,
  position: SourcePosition
): GroupedRows {
  const rows = new QueryStep(resolution, { from, where, groupBy: null, groupingSets: null, having: null }, position);
  const keys = grouping.keys.map((key) => rows.column(key));
  const groups = new QueryStep(
    resolution,
    {
      from: rows.from,
      where: [],
      groupBy: keys,
      groupingSets: isOneSet(grouping) ? null : grouping.sets,
      having: someRow(grouping),
    },
    position
  );
  const columns = new Map(grouping.keys.map((key, index) => [expressionKey(key), groups.column(keys[index] as Expr)]));
  const parts: Parts = { rows, groups, grouping, aliases, keys, columns, plans: new Map() };
  return { from: groups.from, replace: (expr) => columns.get(expressionKey(expr)) ?? replaced(expr, parts) };
}

function isOneSet({ keys, sets }: GroupingSets): boolean {
  return sets.length === 1 && sets[0]?.length === keys.length;
}

/** GoogleSQL makes no group of no rows, not even for the empty set, if there is any key. */
function someRow({ keys, sets }: GroupingSets): Expr | null {
  if (keys.length === 0 || sets.every((set) => set.length > 0)) return null;
  const count: AggregateExpr<'count_rows'> = {
    kind: 'aggregate',
    fn: 'count_rows',
    args: [],
    distinct: false,
    ignoreNulls: false,
    orderBy: [],
    limit: null,
    over: null,
    type: INT64,
    options: NO_OPTIONS,
  };
  return callOf('gt', [count, { kind: 'literal', type: INT64, value: 0n }], BOOL);
}

interface Parts {
  readonly rows: QueryStep;
  readonly groups: QueryStep;
  readonly grouping: GroupingSets;
  readonly aliases: SelectAliases;
  /** Keys as columns of the rows, in the order of `grouping.keys`. */
  readonly keys: readonly ColumnExpr[];
  /** Columns of the groups by the keys of their expressions. */
  readonly columns: ReadonlyMap<string, ColumnExpr>;
  /** Plans of subqueries, so that equal expressions remain equal. */
  readonly plans: Map<QueryPlan, QueryPlan>;
}

function replaced(expr: Expr, parts: Parts): Expr {
  if (expr.kind === 'aggregate' && expr.over === null) return aggregate(expr, parts);
  return inside(expr, parts, (child) => keyColumn(child, parts) ?? replaced(child, parts));
}

/** A constant inside of an expression is not the key that has its value. */
function keyColumn(expr: Expr, { columns }: Parts): ColumnExpr | undefined {
  return isConstant(expr) ? undefined : columns.get(expressionKey(expr));
}

function inside(expr: Expr, parts: Parts, replace: Replace): Expr {
  const outer = withChildren(expr, replace);
  return outer.kind === 'subquery' || outer.kind === 'in-subquery'
    ? { ...outer, plan: subplan(outer.plan, parts) }
    : outer;
}

/** Aggregates of a subquery are its own: only the keys and aliases of aggregates are read from the groups. */
function subplan(plan: QueryPlan, parts: Parts): QueryPlan {
  let made = parts.plans.get(plan);
  if (made === undefined) {
    const replace: Replace = (expr) => {
      const alias = parts.aliases.behind(expr);
      if (alias !== undefined) return keyColumn(alias, parts) ?? replaced(alias, parts);
      return keyColumn(expr, parts) ?? inside(expr, parts, replace);
    };
    made = withExpressions(plan, replace);
    parts.plans.set(plan, made);
  }
  return made;
}

function aggregate(call: AggregateExpr, parts: Parts): Expr {
  const { rows, groups } = parts;
  if (isAggregate(call, 'grouping')) return groupingFlag(call, parts);
  return groups.column(withChildren(call, (expr) => (isConstant(expr) ? expr : rows.column(expr))));
}

/** 1 in the rows of sets without the key. */
function groupingFlag(call: AggregateExpr<'grouping'>, { groups, grouping, keys }: Parts): Expr {
  const wanted = expressionKey(call.args[0] as Expr);
  const place = grouping.keys.findIndex((own) => expressionKey(own) === wanted);
  if (grouping.sets.every((set) => set.includes(place))) return { kind: 'literal', type: INT64, value: 0n };
  return groups.column({ ...call, args: [keys[place] as Expr] });
}
