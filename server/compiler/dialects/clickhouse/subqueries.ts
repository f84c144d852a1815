/** Queries as values. ClickHouse joins correlated ones to the rows around them, so an empty result is a missing row, and lists are read by lambdas. */
import type { Expr, InSubqueryExpr, SubqueryExpr } from '../../ir/expression';
import { some } from '../../ir/children';
import { isCorrelated } from '../../ir/correlation';
import type { QueryPlan, RelationPlan, SelectPlan } from '../../ir/plan';
import { BOOL, INT64, type Type } from '../../ir/types';
import type { AggregatePrinter, NestedPrinter } from '../dialect';
import { aggregates, sortedBy } from './aggregates';
import { nameOnce } from './bind-once';
import { elements } from './lists';
import { castTo, literal } from './literals';
import { listRecords } from './relations';

export function subquery({ form, plan, type }: SubqueryExpr, printer: NestedPrinter): string {
  switch (form) {
    case 'exists':
      return anyElement(plan, printer) ?? `(EXISTS (${printer.plan(plan)}))`;
    case 'array':
      return collected(plan, type, printer);
    case 'scalar':
      return overNoRows(plan, printer) ?? `(${printer.plan(plan)})`;
  }
}

function collected(plan: QueryPlan, type: Type, printer: NestedPrinter): string {
  const rows = (of: QueryPlan, value: string): string =>
    `(SELECT tuple(groupArray(${value})) FROM (${printer.plan(of)}) AS q)`;
  const { body, orderBy } = plan;
  const output = body.kind === 'select' ? body.outputs.find(({ name }) => name === plan.value) : undefined;
  // What is joined to the rows around it cannot be ordered before that.
  if (
    body.kind === 'select' &&
    output !== undefined &&
    orderBy.length > 0 &&
    plan.limit === null &&
    isCorrelated(plan)
  ) {
    const keys = orderBy.map((item) => (body.outputs.find(({ name }) => name === item.output) ?? item).expr);
    const fields = [output.expr, ...keys].map((expr, index) => ({ name: `k${index}`, expr }));
    const packed: Type = { kind: 'STRUCT', fields: fields.map(({ name, expr }) => ({ name, type: expr.type })) };
    const outputs = [{ name: output.name, expr: { kind: 'struct' as const, fields, type: packed } }];
    const unordered = rows({ ...plan, orderBy: [], body: { ...body, outputs } }, 'assumeNotNull(q."v")');
    return nameOnce(
      sortedBy(elements(unordered), orderBy, (key) => key + 2),
      (v) => valuesOf(v, type)
    );
  }
  return nameOnce(elements(rows(plan, 'tuple(q."v")')), (v) => valuesOf(v, type));
}

function valuesOf(records: string, type: Type): string {
  return castTo(`tuple(arrayMap(v -> v.1, ${records}))`, type);
}

export function inSubquery({ operand, plan }: InSubqueryExpr, printer: NestedPrinter): string {
  if (isCorrelated(plan)) return anyEqual(operand, plan, printer);
  const choices = printer.plan(plan);
  // IN skips NULLs in ClickHouse.
  const facts = `(SELECT tuple(count() > 0, countIf(q."v" IS NULL) > 0) FROM (${printer.plan(plan)}) AS q)`;
  return nameOnce(
    `tuple(${printer.expression(operand)} IN (${choices}), ${printer.expression(operand)} IS NULL, ${facts})`,
    (v) => `multiIf(${v}.1, TRUE, NOT ${v}.3.1, FALSE, ${v}.2 OR ${v}.3.2, NULL, FALSE)`
  );
}

/** IN as EXISTS: ClickHouse takes no correlated query on the right of IN. */
function anyEqual(operand: Expr, plan: QueryPlan, printer: NestedPrinter): string {
  const { body } = plan;
  const value = body.kind === 'select' ? body.outputs.find(({ name }) => name === plan.value)?.expr : undefined;
  if (body.kind !== 'select' || value === undefined || body.groupBy !== null || plan.limit !== null) {
    return `(${printer.expression(operand)} IN (${printer.plan(plan)}))`;
  }
  const equal: Expr = { kind: 'call', fn: 'eq', args: [value, operand], type: BOOL };
  const unknown: Expr = { kind: 'call', fn: 'is_null', args: [equal], type: BOOL };
  const where = (condition: Expr): string => {
    const narrowed: SelectPlan = { ...body, where: [...body.where, condition] };
    return subquery({ kind: 'subquery', form: 'exists', plan: { ...plan, body: narrowed }, type: BOOL }, printer);
  };
  return `multiIf(${where(equal)}, TRUE, ${where(unknown)}, NULL, FALSE)`;
}

/** EXISTS over the elements of lists. */
function anyElement(plan: QueryPlan, printer: NestedPrinter): string | undefined {
  const { body } = plan;
  if (body.kind !== 'select' || body.from === null || body.groupBy !== null || body.having !== null) return undefined;
  if (body.qualify !== null || plan.limit !== null || plan.offset !== null) return undefined;
  const lists = listsOf(body.from);
  if (lists === undefined || body.where.some((expr) => some(expr, isQuery))) return undefined;
  const condition = body.where.map((expr) => printer.expression(expr)).join(' AND ') || 'TRUE';
  return lists.reduceRight((inner, { id, input }) => {
    const alias = printer.relationAlias(id);
    return `arrayExists(${alias} -> ifNull(${inner}, FALSE), ${listRecords(input, printer.expression(input.list))})`;
  }, condition);
}

type ListRelation = RelationPlan & { readonly input: Extract<RelationPlan['input'], { kind: 'list' }> };

function listsOf(from: NonNullable<SelectPlan['from']>): readonly ListRelation[] | undefined {
  if (from.kind === 'relation') {
    const isList = from.input.kind === 'list' && from.unnests.length === 0 && !some(from.input.list, isQuery);
    return isList ? [from as ListRelation] : undefined;
  }
  if (from.join !== 'CROSS' || from.on.length > 0) return undefined;
  const [left, right] = [listsOf(from.left), listsOf(from.right)];
  return left && right && [...left, ...right];
}

function isQuery({ kind }: Expr): boolean {
  return kind === 'subquery' || kind === 'in-subquery';
}

const ZERO = literal({ kind: 'literal', type: INT64, value: 0n });
const COUNTS: ReadonlySet<string> = new Set(['count_rows', 'count', 'count_if', 'approx_count_distinct']);

/** What aggregates give for no rows. */
const ofNoRows: ReadonlyMap<string, AggregatePrinter> = new Map(
  [...aggregates.keys()].map((fn) => [fn, (_, { type }) => (COUNTS.has(fn) ? ZERO : castTo('NULL', type))])
);

/** A correlated group of all rows: where the join finds none, its value is that of no rows. */
function overNoRows(plan: QueryPlan, printer: NestedPrinter): string | undefined {
  const { body } = plan;
  if (body.kind !== 'select' || body.groupBy?.length !== 0 || !isCorrelated(plan)) return undefined;
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
