/** Queries whose rows come one by one from the rows of one scan. */
import { containsSubquery } from '../../walk/children';
import type { Expr } from '../../expression';
import type { CommonTablePlan, FromPlan, QueryPlan, RelationPlan, ScanInput, SelectPlan } from '../../plan';
import { outputOf, rowByRow, soleQuery } from './newest-first';
import type { Reachable } from '../reachable';
import { exactLimits, NO_LIMITS, type TimeLimits, within } from '../conditions/time-limits';

/** FROM and WHERE of a block without those conditions that only limit the time of events. */
export interface RowChain {
  readonly scan: ScanInput;
  /** The FROM item of the scan. */
  readonly relation: number;
  readonly from: FromPlan;
  readonly where: readonly Expr[];
  /** WITH queries in the chain, and what they become without those conditions. */
  readonly tables: ReadonlyMap<CommonTablePlan, CommonTablePlan>;
  /** What the conditions that were left out mean at a time of the request. */
  limits(nowMicros: number): TimeLimits;
}

type Block = Pick<SelectPlan, 'where'> & { readonly from: FromPlan };

interface Walk {
  readonly reachable: Reachable;
  readonly limits: ((nowMicros: number) => TimeLimits)[];
  readonly tables: Map<CommonTablePlan, CommonTablePlan>;
}

interface Rows {
  readonly scan: ScanInput;
  readonly relation: number;
  readonly from: FromPlan;
  /** Whether an expression of the reader is the time of the event. */
  readonly isTime: (expr: Expr) => boolean;
}

/** Any time: whether a condition is a limit does not depend on the time of the request. */
const SOME_TIME = 0;

/** @returns undefined for rows that depend on several events, or on another query */
export function rowsBelow(block: Block, reachable: Reachable): RowChain | undefined {
  const walk: Walk = { reachable, limits: [], tables: new Map() };
  const below = inBlock(block, walk);
  if (below === undefined) return undefined;
  return {
    ...below,
    tables: walk.tables,
    limits: (nowMicros) => walk.limits.reduce((limits, one) => within(limits, one(nowMicros)), NO_LIMITS),
  };
}

function inBlock({ from, where }: Block, walk: Walk): (Rows & Pick<RowChain, 'where'>) | undefined {
  const rows = inFrom(from, walk);
  if (rows === undefined || where.some(containsSubquery)) return undefined;
  const rest = where.filter((condition) => {
    if (exactLimits(condition, rows.isTime, SOME_TIME) === undefined) return true;
    walk.limits.push((nowMicros) => exactLimits(condition, rows.isTime, nowMicros) ?? NO_LIMITS);
    return false;
  });
  return { ...rows, where: rest };
}

function inFrom(from: FromPlan, walk: Walk): Rows | undefined {
  if (from.kind === 'relation') return inRelation(from, walk);
  if (from.join === 'RIGHT' || from.join === 'FULL' || !isOfOneRow(from.right) || from.on.some(containsSubquery))
    return undefined;
  const left = inFrom(from.left, walk);
  return left && { ...left, from: { ...from, left: left.from } };
}

/** Whether a FROM item has the same rows for each row to its left, independent of the other rows. */
function isOfOneRow(from: FromPlan): boolean {
  if (from.kind === 'join') return false;
  const { input, unnests } = from;
  if (unnests.some(({ list }) => containsSubquery(list))) return false;
  return input.kind === 'single-row' || (input.kind === 'list' && !containsSubquery(input.list));
}

function inRelation(relation: RelationPlan, walk: Walk): Rows | undefined {
  const { id, input, unnests } = relation;
  if (unnests.some(({ list }) => containsSubquery(list))) return undefined;
  if (input.kind === 'scan') {
    const isTime = (expr: Expr): boolean =>
      expr.kind === 'column' && expr.relation === id && expr.name === 'timestamp' && expr.type.kind === 'TIMESTAMP';
    return { scan: input, relation: id, from: relation, isTime };
  }
  const plan = soleQuery(relation, walk.reachable);
  if (plan?.body.kind !== 'select' || plan.limit !== null || plan.offset !== null) return undefined;
  const { body } = plan;
  if (body.from === null || !rowByRow(body)) return undefined;
  const wanted = walk.reachable.outputs(plan);
  if (body.outputs.some(({ name, expr }) => wanted.has(name) && containsSubquery(expr))) return undefined;
  const below = inBlock({ from: body.from, where: body.where }, walk);
  if (below === undefined) return undefined;
  const isTime = (expr: Expr): boolean => {
    if (expr.kind !== 'column' || expr.relation !== id) return false;
    const output = outputOf(body, expr.name);
    return output !== undefined && below.isTime(output);
  };
  const reduced: QueryPlan = { ...plan, orderBy: [], body: { ...body, from: below.from, where: below.where } };
  return { ...below, from: { ...relation, input: withPlan(input, reduced, walk.tables) }, isTime };
}

/** The input with another plan. @param tables gets what a WITH query becomes */
export function withPlan(
  input: RelationPlan['input'],
  plan: QueryPlan,
  tables: Map<CommonTablePlan, CommonTablePlan>
): RelationPlan['input'] {
  if (input.kind !== 'common-table') return { kind: 'derived', plan };
  const table = { ...input.table, plan };
  tables.set(input.table, table);
  return { kind: 'common-table', table };
}
