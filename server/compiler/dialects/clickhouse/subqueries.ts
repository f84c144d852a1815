/**
 * Queries as values. ClickHouse joins one that reads the rows around it to all of these rows: an empty result is a row that is missing, order
 * and limit are not kept, and where two outer rows have the same values, each row of the query counts twice, unless they are compared for
 * equality only. What would come out wrong is refused.
 */
import { ServiceError } from '#contract/errors';
import { some } from '../../ir/children';
import { correlationOf } from '../../ir/correlation';
import type { AggregateExpr, Expr, InSubqueryExpr, SubqueryExpr } from '../../ir/expression';
import type { QueryPlan, SelectPlan } from '../../ir/plan';
import { BOOL, INT64, type Type } from '../../ir/types';
import type { AggregatePrinter, NestedPrinter } from '../dialect';
import { aggregates, sortedBy } from './aggregates';
import { nameOnce } from './bind-once';
import { elements } from './lists';
import { listQuery } from './list-queries';
import { castTo, literal } from './literals';

export function subquery(expr: SubqueryExpr, printer: NestedPrinter): string {
  const overList = listQuery(expr, printer);
  if (overList !== undefined) return overList;
  const { form, plan, type } = expr;
  const correlation = correlationOf(plan);
  if (correlation !== 'none' && (plan.limit !== null || plan.offset !== null)) throw refused('has a limit');
  switch (form) {
    case 'exists':
      return `(EXISTS (${printer.plan(plan)}))`;
    case 'array':
      if (correlation === 'free') throw refused('gathers an array');
      return collected(plan, type, printer);
    case 'scalar':
      if (correlation === 'none') return `(${printer.plan(plan)})`;
      if (correlation === 'free' && !isSameForDoubles(plan)) throw refused('counts or adds up');
      return overNoRows(plan, printer) ?? `(${printer.plan(plan)})`;
  }
}

export function inSubquery({ operand, plan }: InSubqueryExpr, printer: NestedPrinter): string {
  if (correlationOf(plan) !== 'none') return anyEqual(operand, plan, printer);
  const choices = printer.plan(plan);
  // IN skips NULLs in ClickHouse.
  const facts = `(SELECT tuple(count() > 0, countIf(q."v" IS NULL) > 0) FROM (${printer.plan(plan)}) AS q)`;
  return nameOnce(
    `tuple(${printer.expression(operand)} IN (${choices}), ${printer.expression(operand)} IS NULL, ${facts})`,
    (v) => `multiIf(${v}.1, TRUE, NOT ${v}.3.1, FALSE, ${v}.2 OR ${v}.3.2, NULL, FALSE)`
  );
}

function refused(what: string): ServiceError {
  const message = `a subquery that reads the rows around it and ${what} does not run on ClickHouse`;
  return new ServiceError('query_invalid', message, {
    reason: 'not_supported',
    hint: 'compare columns for equality, or join and group instead',
  });
}

/** Aggregates that tell the same when each row comes as often as every other, but more than once. */
const SAME_FOR_DOUBLES: ReadonlySet<string> = new Set(['min', 'max', 'avg', 'any_value', 'logical_and', 'logical_or']);

function isSameForDoubles({ body }: QueryPlan): boolean {
  if (body.kind !== 'select') return true;
  const parts = [...body.outputs.map(({ expr }) => expr), ...(body.having ? [body.having] : [])];
  return !parts.some((part) =>
    some(part, (expr) => expr.kind === 'aggregate' && !SAME_FOR_DOUBLES.has(expr.fn) && !isDistinctCount(expr))
  );
}

function isDistinctCount({ fn, distinct }: AggregateExpr): boolean {
  return distinct ? fn === 'count' || fn === 'sum' || fn === 'avg' : fn === 'approx_count_distinct';
}

/** IN as EXISTS: ClickHouse takes no correlated query on the right of IN. */
function anyEqual(operand: Expr, plan: QueryPlan, printer: NestedPrinter): string {
  const { body } = plan;
  const value = body.kind === 'select' ? body.outputs.find(({ name }) => name === plan.value)?.expr : undefined;
  if (body.kind !== 'select' || value === undefined || body.groupBy !== null || plan.limit !== null) {
    throw refused('stands after IN with groups, a limit or a set operation');
  }
  const equal: Expr = { kind: 'call', fn: 'eq', args: [value, operand], type: BOOL };
  const unknown: Expr = { kind: 'call', fn: 'is_null', args: [equal], type: BOOL };
  const where = (condition: Expr): string => {
    const narrowed: SelectPlan = { ...body, where: [...body.where, condition] };
    return subquery({ kind: 'subquery', form: 'exists', plan: { ...plan, body: narrowed }, type: BOOL }, printer);
  };
  return `multiIf(${where(equal)}, TRUE, ${where(unknown)}, NULL, FALSE)`;
}

function collected(plan: QueryPlan, type: Type, printer: NestedPrinter): string {
  const rows = (of: QueryPlan, value: string): string =>
    `(SELECT tuple(groupArray(${value})) FROM (${printer.plan(of)}) AS q)`;
  const valuesOf = (records: string): string => castTo(`tuple(arrayMap(v -> v.1, ${records}))`, type);
  const { body, orderBy } = plan;
  const output = body.kind === 'select' ? body.outputs.find(({ name }) => name === plan.value) : undefined;
  const isOrdered = orderBy.length > 0 && correlationOf(plan) !== 'none';
  if (body.kind !== 'select' || output === undefined || !isOrdered) {
    return nameOnce(elements(rows(plan, 'tuple(q."v")')), valuesOf);
  }
  const keys = orderBy.map((item) => (body.outputs.find(({ name }) => name === item.output) ?? item).expr);
  const fields = [output.expr, ...keys].map((expr, index) => ({ name: `k${index}`, expr }));
  const packed: Type = { kind: 'STRUCT', fields: fields.map(({ name, expr }) => ({ name, type: expr.type })) };
  const outputs = [{ name: output.name, expr: { kind: 'struct' as const, fields, type: packed } }];
  const unordered = rows({ ...plan, orderBy: [], body: { ...body, outputs } }, 'assumeNotNull(q."v")');
  return nameOnce(
    sortedBy(elements(unordered), orderBy, (key) => key + 2),
    valuesOf
  );
}

const ZERO = literal({ kind: 'literal', type: INT64, value: 0n });
const COUNTS: ReadonlySet<string> = new Set(['count_rows', 'count', 'count_if', 'approx_count_distinct']);

/** What aggregates give for no rows. */
const ofNoRows: ReadonlyMap<string, AggregatePrinter> = new Map(
  [...aggregates.keys()].map((fn) => [fn, (_, { type }) => (COUNTS.has(fn) ? ZERO : castTo('NULL', type))])
);

/** A group of all rows: where the join finds none, its value is that of no rows. */
function overNoRows(plan: QueryPlan, printer: NestedPrinter): string | undefined {
  const { body } = plan;
  if (body.kind !== 'select' || body.groupBy?.length !== 0) return undefined;
  const output = body.outputs.find(({ name }) => name === plan.value);
  if (output === undefined) return undefined;
  const { expr } = output;
  const value: Expr =
    body.having === null
      ? expr
      : { kind: 'case', branches: [{ when: body.having, then: expr }], otherwise: null, type: expr.type };
  const type: Type = { kind: 'STRUCT', fields: [{ name: 'v', type: expr.type }] };
  const packed: Expr = { kind: 'struct', fields: [{ name: 'v', expr: value }], type };
  const rows = { ...plan, body: { ...body, having: null, outputs: [{ name: output.name, expr: packed }] } };
  const none = printer.expression(value, ofNoRows);
  return nameOnce(`tuple((${printer.plan(rows)}), ${none})`, (v) => `if(${v}.1 IS NULL, ${v}.2, ${v}.1.1)`);
}
