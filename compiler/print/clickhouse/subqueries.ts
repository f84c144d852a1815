/**
 * Subqueries as values. Correlated ones are printed as lists (see arrays/README.md): ClickHouse itself would
 * decorrelate them to joins, which count equal rows twice, lose NULLs, and ignore order and limit.
 */
import { outerReads } from '../../ir/passes/correlation/correlation';
import type { Expr, InSubqueryExpr, SubqueryExpr } from '../../ir/expression';
import type { FromPlan, QueryPlan } from '../../ir/plan';
import { INT64 } from '../../ir/types';
import type { NestedPrinter } from '../dialect/dialect';
import { nameOnce } from './values/bind-once';
import { hasRow } from './arrays/materialize';
import { records } from './arrays/query';
import { key, keyOf } from './values/keys';
import { castTo, failsWhen } from './values/literals';

const ONE: Expr = { kind: 'literal', type: INT64, value: 1n };

export function subquery(expr: SubqueryExpr, printer: NestedPrinter): string {
  const { form, plan, type } = expr;
  if (!isListed(plan)) {
    const query = printer.plan(plan);
    if (form === 'exists') return `(EXISTS (${query}))`;
    if (form === 'scalar') return `(${query})`;
    const rows = `(SELECT groupArray(tuple(q."v")) FROM (${query}) AS q)`;
    return castTo(`tuple(arrayMap(v -> v.1, ${rows}))`, type);
  }
  switch (form) {
    case 'exists':
      return existsByKey(plan, printer) ?? `notEmpty(${records(oneRow(plan), [], printer)})`;
    case 'array':
      return castTo(`tuple(arrayMap(v -> v.1, ${records(plan, [valueOf(plan)], printer)}))`, type);
    case 'scalar':
      return nameOnce(records(plan, [valueOf(plan)], printer), (v) =>
        castTo(`if(${failsWhen(`length(${v}) > 1`, 'scalar_subquery')} OR empty(${v}), NULL, ${v}[1].1)`, type)
      );
  }
}

export function inSubquery({ operand, plan }: InSubqueryExpr, printer: NestedPrinter): string {
  const value = key(printer.expression(operand), operand);
  if (isListed(plan)) {
    return nameOnce(`tuple(${records(plan, [valueOf(plan)], printer)}, ${value})`, (v) => {
      const equal = `arrayMap(c -> c.1 = ${v}.2, ${v}.1)`;
      return `multiIf(has(${equal}, TRUE), TRUE, has(${equal}, NULL), NULL, FALSE)`;
    });
  }
  const rows = printer.plan(plan);
  const choice = keyOf('q."v"', operand.type);
  const numbers = `SELECT ${choice} FROM (${rows}) AS q`;
  const bothMayBeNaN = printer.mayBeNaN(operand) && printer.outputMayBeNaN(plan, valueOf(plan));
  const choices = bothMayBeNaN
    ? `${numbers} WHERE NOT ifNull(isNaN(q."v"), FALSE)`
    : choice === 'q."v"'
      ? rows
      : numbers;
  // ClickHouse's IN skips NULLs.
  const facts = `(SELECT tuple(count() > 0, countIf(q."v" IS NULL) > 0) FROM (${rows}) AS q)`;
  return nameOnce(
    `tuple(${value} IN (${choices}), ${value} IS NULL, ${facts})`,
    (v) => `multiIf(${v}.1, TRUE, NOT ${v}.3.1, FALSE, ${v}.2 OR ${v}.3.2, NULL, FALSE)`
  );
}

/** An existence test needs one row only. */
function oneRow(plan: QueryPlan): QueryPlan {
  return plan.limit === null && plan.offset === null ? { ...plan, orderBy: [], limit: ONE } : plan;
}

function existsByKey({ body, limit, offset }: QueryPlan, printer: NestedPrinter): string | undefined {
  if (body.kind !== 'select' || body.from === null || isLists(body.from)) return undefined;
  const { from, where, groupBy, qualify } = body;
  const isPlain = groupBy === null && qualify === null && limit === null && offset === null;
  return isPlain && outerReads(from).length === 0 ? hasRow(from, where, printer) : undefined;
}

function valueOf({ value }: QueryPlan): string {
  if (value === null) throw new Error('the query has no value');
  return value;
}

/** Lists can be read anywhere without a table scan. */
function isListed(plan: QueryPlan): boolean {
  return outerReads(plan).length > 0 || readsListsOnly(plan);
}

function readsListsOnly({ body }: QueryPlan): boolean {
  return body.kind === 'select' && body.from !== null && isLists(body.from);
}

function isLists(from: FromPlan): boolean {
  return from.kind === 'join'
    ? isLists(from.left) && isLists(from.right)
    : from.input.kind === 'list' && from.unnests.length === 0;
}
