/**
 * Grouping in a query of its own: one query for the keys and the arguments of the aggregates, one that groups by plain
 * columns, and a block that computes everything else from its rows. A key is then one column, which is NULL in the rows
 * of sets without it, wherever the block reads it, also in its subqueries.
 */
import type { SourcePosition } from '../../../ast';
import type { AggregateExpr, ColumnExpr, Expr } from '../../../ir/expression';
import { aggregateOf, callOf, isAggregate, isConstant } from '../../../ir/operations/call';
import { expressionKey } from '../../../ir/passes/expression-key';
import type { FromPlan, QueryPlan } from '../../../ir/plan';
import { some, withChildren, type Replace } from '../../../ir/walk/children';
import { withExpressions } from '../../../ir/walk/rebuild';
import { BOOL, INT64 } from '../../../ir/types';
import type { SelectDraft } from '../../drafts';
import type { SelectAliases } from '../../names/select-aliases';
import type { Resolution } from '../../resolution';
import { type GroupingSets, MAX_GROUPING_SETS } from './grouping-sets';
import { failure } from '../../failure';
import { foldAnd } from '../../expressions/fold-conditions';
import { QueryStep } from '../query-step';
import { Grouping, readsGroup } from './grouping';
import { RankedRows } from './ranked-rows';
import { itemAt } from '../../../items';

export interface GroupedRows {
  readonly from: FromPlan;
  /** An expression of the block, read from the grouped rows. */
  readonly replace: Replace;
}

interface GroupedBlock {
  readonly grouping: GroupingSets;
  readonly aliases: SelectAliases;
  /** Whether a relation is of the block's own FROM. */
  readonly isOwn: (relation: number) => boolean;
  readonly position: SourcePosition;
  /** Whether an aggregate reads rows by what their group has. */
  readonly ranks: boolean;
}

export function groupedRows(
  resolution: Resolution,
  { from, where }: Pick<SelectDraft, 'from' | 'where'>,
  { grouping, aliases, isOwn, position, ranks }: GroupedBlock
): GroupedRows {
  const plain = new QueryStep(resolution, { from, where, groupBy: null, groupingSets: null, having: null }, position);
  const rows = ranks ? new RankedRows(resolution, plain, position) : plain;
  const keys = grouping.keys.map((key) => rows.column(key, []));
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
  const columns = new Map(grouping.keys.map((key, index) => [expressionKey(key), groups.column(itemAt(keys, index))]));
  const isComputed = (expr: Expr): boolean => isOfFields(expr, grouping, isOwn, position);
  const plans = new Map<QueryPlan, QueryPlan>();
  const parts: Parts = { rows, groups, grouping, aliases, keys, columns, isComputed, plans, position, bySets: 0 };
  return {
    from: groups.from,
    replace: (expr) => (isComputed(expr) ? undefined : columns.get(expressionKey(expr))) ?? replaced(expr, parts),
  };
}

/**
 * As in GoogleSQL, an expression that equals a key is computed where it reads nothing but columns that are keys, too,
 * unless GROUP BY names it by its alias or number. The difference shows in sets that have those columns only.
 */
function isOfFields(
  expr: Expr,
  { keys, sets }: GroupingSets,
  isOwn: (relation: number) => boolean,
  position: SourcePosition
): boolean {
  const isNamed = keys.includes(expr) || (expr.kind === 'struct' && expr.isKey === true);
  if (sets.length === 1 || isField(expr) || isNamed) return false;
  const fields = keys.filter(isField);
  if (fields.length === 0 || !some(expr, (part) => part.kind === 'column' && isOwn(part.relation))) return false;
  return new Grouping(fields, isOwn, position).allows(expr);
}

/** Whether the expression is a column or a field of one. */
function isField({ kind }: Expr): boolean {
  return ['column', 'lazy-record', 'struct-field', 'json-field', 'redacted'].includes(kind);
}

function isOneSet({ keys, sets }: GroupingSets): boolean {
  return sets.length === 1 && sets[0]?.length === keys.length;
}

/** GoogleSQL makes no group of no rows, not even for the empty set, if there is any key. */
function someRow({ keys, sets }: GroupingSets): Expr | null {
  if (keys.length === 0 || sets.every((set) => set.length > 0)) return null;
  return callOf('gt', [aggregateOf('count_rows', [], INT64), { kind: 'literal', type: INT64, value: 0n }], BOOL);
}

interface Parts {
  readonly rows: { column(expr: Expr, keys: readonly Expr[]): ColumnExpr };
  readonly groups: QueryStep;
  readonly grouping: GroupingSets;
  readonly aliases: SelectAliases;
  /** Keys as columns of the rows, in the order of `grouping.keys`. */
  readonly keys: readonly ColumnExpr[];
  /** Columns of the groups by the keys of their expressions. */
  readonly columns: ReadonlyMap<string, ColumnExpr>;
  /** Whether an expression that equals a key is not that key. */
  readonly isComputed: (expr: Expr) => boolean;
  /** Plans of subqueries, so that equal expressions remain equal. */
  readonly plans: Map<QueryPlan, QueryPlan>;
  readonly position: SourcePosition;
  /** Number of aggregates that are computed for each grouping set of its own. */
  bySets: number;
}

function replaced(expr: Expr, parts: Parts): Expr {
  if (expr.kind === 'aggregate' && expr.over === null) return aggregate(expr, parts);
  return inside(expr, parts, (child) => keyColumn(child, parts) ?? replaced(child, parts));
}

/** A constant inside of an expression is not the key that has its value. */
function keyColumn(expr: Expr, { columns, isComputed }: Parts): ColumnExpr | undefined {
  return isConstant(expr) || isComputed(expr) ? undefined : columns.get(expressionKey(expr));
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
  const { rows, groups, grouping } = parts;
  if (isAggregate(call, 'grouping')) return groupingFlag(call, parts);
  const { sets } = grouping;
  const ofSet = (set: readonly number[]): Expr => {
    const keys = set.map((place) => itemAt(grouping.keys, place));
    return groups.column(withChildren(call, (expr) => (isConstant(expr) ? expr : rows.column(expr, keys))));
  };
  const last = sets.at(-1) ?? [];
  if (sets.length <= 1 || !readsGroup(call)) return ofSet(last);
  parts.bySets += sets.length;
  if (parts.bySets > MAX_GROUPING_SETS) {
    throw failure('too_complex', 'too many grouping sets with HAVING MAX or GROUP BY in aggregates', parts.position, {
      maximum: MAX_GROUPING_SETS,
      hint: 'use fewer sets: each of these aggregates is computed for each set',
    });
  }
  const branches = sets.slice(0, -1).map((set) => ({ when: isOfSet(set, parts), then: ofSet(set) }));
  return { kind: 'case', branches, otherwise: ofSet(last), type: call.type };
}

/** Whether a row is a group of this set. */
function isOfSet(set: readonly number[], { groups, grouping, keys }: Parts): Expr {
  const flags = keys.flatMap((key, place) => {
    if (grouping.sets.every((other) => other.includes(place))) return [];
    const isTotal: Expr = { kind: 'literal', type: INT64, value: set.includes(place) ? 0n : 1n };
    return [callOf('eq', [groups.column(aggregateOf('grouping', [key], INT64)), isTotal], BOOL)];
  });
  return foldAnd(flags);
}

/** 1 in the rows of sets without the key. */
function groupingFlag(call: AggregateExpr<'grouping'>, { groups, grouping, keys }: Parts): Expr {
  const wanted = expressionKey(itemAt(call.args, 0));
  const place = grouping.keys.findIndex((own) => expressionKey(own) === wanted);
  if (grouping.sets.every((set) => set.includes(place))) return { kind: 'literal', type: INT64, value: 0n };
  return groups.column({ ...call, args: [itemAt(keys, place)] });
}
