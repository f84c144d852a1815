/**
 * A grouped block that reads another: whether it has the same rows when the inner groups are made of parts of the
 * events, so that one inner group becomes several. It has if sums are sums of inner sums and counts, and all else
 * depends on keys of the inner groups, which may then occur more than once.
 */
import { children, containsSubquery, some } from '../../walk/children';
import { isConstant } from '../../operations/call';
import type { AggregateExpr, Expr } from '../../expression';
import type { QueryPlan, RelationPlan, SelectPlan } from '../../plan';
import { expressionKey } from '../expression-key';
import { soleQuery } from '../rows/newest-first';
import { mergeOf, type Merge } from './partial-aggregates';
import type { Reachable } from '../reachable';
import { type RowChain, rowsBelow, withPlan } from '../rows/row-chain';

/** What the columns of the inner groups are: keys, or aggregates by what merges them. */
type Columns = ReadonlyMap<string, 'key' | Merge>;

/** The rows of the outer block as a chain, which then contains the inner groups. */
export function groupsBelow(select: SelectPlan, reachable: Reachable): RowChain | undefined {
  const { from, where } = select;
  if (from?.kind !== 'relation' || from.unnests.length > 0) return undefined;
  const inner = soleQuery(from, reachable);
  if (inner?.body.kind !== 'select' || inner.limit !== null || inner.offset !== null) return undefined;
  const { body } = inner;
  const columns = columnsOf(body, reachable.outputs(inner));
  if (columns === undefined || !isSame(select, from, columns)) return undefined;
  const chain = body.from && rowsBelow({ from: body.from, where: body.where }, reachable);
  if (!chain) return undefined;
  const tables = new Map(chain.tables);
  const plan: QueryPlan = { ...inner, orderBy: [], body: { ...body, from: chain.from, where: chain.where } };
  return { ...chain, tables, from: { ...from, input: withPlan(from.input, plan, tables) }, where };
}

/** @returns undefined when a column is something else */
function columnsOf(block: SelectPlan, wanted: ReadonlySet<string>): Columns | undefined {
  const { groupBy, groupingSets, having, qualify, distinct } = block;
  if (groupBy === null || groupingSets || having !== null || qualify !== null || distinct) return undefined;
  if (groupBy.some(containsSubquery)) return undefined;
  const keys = new Set(groupBy.map(expressionKey));
  const isOfKeys = (expr: Expr): boolean =>
    isConstant(expr) ||
    keys.has(expressionKey(expr)) ||
    (!isOwnValue(expr) && children(expr).every((child) => isOfKeys(child)));
  const columns = new Map<string, 'key' | Merge>();
  for (const { name, expr } of block.outputs) {
    if (!wanted.has(name)) continue;
    if (containsSubquery(expr)) return undefined;
    const merge = expr.kind === 'aggregate' && expr.over === null ? mergeOf(expr) : undefined;
    if (merge === undefined && !isOfKeys(expr)) return undefined;
    columns.set(name, merge ?? 'key');
  }
  return columns;
}

function isOwnValue({ kind }: Expr): boolean {
  return kind === 'column' || kind === 'lazy-record' || kind === 'aggregate';
}

function isSame(select: SelectPlan, { id }: RelationPlan, columns: Columns): boolean {
  const kindOf = (expr: Expr): 'key' | Merge | undefined =>
    expr.kind === 'column' && expr.relation === id ? columns.get(expr.name) : undefined;
  const isOfKeys = (expr: Expr): boolean =>
    !some(expr, (part) => part.kind === 'column' && kindOf(part) !== 'key') && !containsSubquery(expr);
  /** Whether a value is the inner sum, or nothing. */
  const isSumOrNothing = (expr: Expr): boolean => {
    if (expr.kind === 'literal') return expr.value === null || expr.value === 0n;
    if (expr.kind !== 'case') return kindOf(expr) === 'sum';
    const { branches, otherwise } = expr;
    return (
      branches.every(({ when, then }) => isOfKeys(when) && isSumOrNothing(then)) &&
      (otherwise === null || isSumOrNothing(otherwise))
    );
  };
  const isMerged = (call: AggregateExpr): boolean => {
    const [arg] = call.args;
    const merge = mergeOf(call);
    if (arg === undefined || merge === undefined || call.fn.startsWith('count')) return false;
    return merge === 'sum' ? isSumOrNothing(arg) : kindOf(arg) === merge || isOfKeys(arg);
  };
  const areMerged = (expr: Expr): boolean =>
    expr.kind === 'aggregate' && expr.over === null ? isMerged(expr) : children(expr).every(areMerged);
  const { outputs, where, groupBy, having, qualify } = select;
  const read = [...outputs.map(({ expr }) => expr), ...(having ? [having] : []), ...(qualify ? [qualify] : [])];
  return where.every(isOfKeys) && (groupBy ?? []).every(isOfKeys) && read.every(areMerged);
}
