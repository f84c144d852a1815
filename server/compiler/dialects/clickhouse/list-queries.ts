/** Queries over the elements of a list, by functions on arrays: they need no rows, and read the row around them as any expression does. */
import { some } from '../../ir/children';
import type { Expr, SubqueryExpr } from '../../ir/expression';
import type { QueryPlan, SelectPlan } from '../../ir/plan';
import type { NestedPrinter } from '../dialect';
import { aggregatesBy, sortedBy } from './aggregates';
import { nameOnce } from './bind-once';
import { castTo, failsWhen } from './literals';
import { listRecords } from './relations';
import type { ListInput } from '../print-plan';

/** A query as a value; undefined when it is none over lists, or one that arrays cannot tell. */
export function listQuery(expr: SubqueryExpr, printer: NestedPrinter): string | undefined {
  const shape = shapeOf(expr);
  if (shape === undefined) return undefined;
  const { lists, body } = shape;
  const [list] = lists as [OpenList];
  if (isPlainSearch(expr, body)) return anyElement(lists, body, printer);
  const alias = printer.relationAlias(list.id);
  const all = listRecords(list.input, printer.expression(list.input.list));
  const rows = body.where.length === 0 ? all : `arrayFilter(${alias} -> ${holds(body.where, printer)}, ${all})`;
  return body.groupBy === null
    ? eachElement(expr, body, { alias, rows }, printer)
    : allElements(expr, body, { alias, rows }, printer);
}

interface Shape {
  readonly lists: readonly OpenList[];
  readonly body: SelectPlan;
}

/** What arrays can tell. Inside of a lambda no other kind of query can stand. */
function shapeOf(expr: SubqueryExpr): Shape | undefined {
  const { plan } = expr;
  const { body } = plan;
  if (body.kind !== 'select' || body.from === null || body.qualify !== null) return undefined;
  const lists = listsOf(body.from);
  if (lists === undefined || partsOf(plan, body).some((part) => some(part, isOtherQuery))) return undefined;
  if (isPlainSearch(expr, body)) return { lists, body };
  if (lists.length > 1 || body.distinct || plan.limit !== null || plan.offset !== null) return undefined;
  if (expr.form !== 'exists' && valueOf(plan, body) === undefined) return undefined;
  const isGrouped = body.groupBy !== null;
  const isAggregated = isGrouped || sortedParts(plan, body).some((part) => some(part, isAggregate));
  if (isGrouped ? body.groupBy.length > 0 : isAggregated) return undefined;
  return { lists, body };
}

function isPlainSearch({ form, plan }: SubqueryExpr, { groupBy }: SelectPlan): boolean {
  return form === 'exists' && groupBy === null && plan.limit === null && plan.offset === null;
}

function isOtherQuery(expr: Expr): boolean {
  return expr.kind === 'in-subquery' || (expr.kind === 'subquery' && shapeOf(expr) === undefined);
}

function isAggregate({ kind }: Expr): boolean {
  return kind === 'aggregate';
}

/** The value, and what the values are ordered by. */
function sortedParts(plan: QueryPlan, body: SelectPlan): readonly Expr[] {
  const keys = plan.orderBy.map((item) => body.outputs.find(({ name }) => name === item.output)?.expr ?? item.expr);
  const value = valueOf(plan, body);
  return value === undefined ? keys : [value, ...keys];
}

interface Rows {
  /** Under which expressions know one of them. */
  readonly alias: string;
  readonly rows: string;
}

interface OpenList {
  readonly id: number;
  readonly input: ListInput;
}

function listsOf(from: NonNullable<SelectPlan['from']>): readonly OpenList[] | undefined {
  if (from.kind === 'relation') {
    const { id, input, unnests } = from;
    return input.kind === 'list' && unnests.length === 0 ? [{ id, input }] : undefined;
  }
  if (from.join !== 'CROSS' || from.on.length > 0) return undefined;
  const [left, right] = [listsOf(from.left), listsOf(from.right)];
  return left && right && [...left, ...right];
}

function partsOf(plan: QueryPlan, { outputs, where, having, groupBy, from }: SelectPlan): readonly Expr[] {
  const lists = from === null ? [] : (listsOf(from) ?? []).map(({ input }) => input.list);
  const value = outputs.filter(({ name }) => name === plan.value).map(({ expr }) => expr);
  return [...lists, ...value, ...where, ...(having ? [having] : []), ...(groupBy ?? [])];
}

function holds(conditions: readonly Expr[], printer: NestedPrinter): string {
  return `ifNull(${conditions.map((expr) => printer.expression(expr)).join(' AND ') || 'TRUE'}, FALSE)`;
}

function anyElement(lists: readonly OpenList[], { where }: SelectPlan, printer: NestedPrinter): string {
  return lists.reduceRight(
    (inner, { id, input }) =>
      `arrayExists(${printer.relationAlias(id)} -> ${inner}, ${listRecords(input, printer.expression(input.list))})`,
    holds(where, printer)
  );
}

/** One value for each element. */
function eachElement(
  { form, plan, type }: SubqueryExpr,
  body: SelectPlan,
  { alias, rows }: Rows,
  printer: NestedPrinter
): string {
  const record = `tuple(${sortedParts(plan, body)
    .map((expr) => printer.expression(expr))
    .join(', ')})`;
  const values = sortedBy(`arrayMap(${alias} -> ${record}, ${rows})`, plan.orderBy, (key) => key + 2);
  if (form === 'array') return castTo(`tuple(arrayMap(v -> v.1, ${values}))`, type);
  return nameOnce(
    values,
    (v) => `if(${failsWhen(`length(${v}) > 1`, 'scalar_subquery')} OR empty(${v}), NULL, ${v}[1].1)`
  );
}

/** One value for all elements together. */
function allElements(
  { form, plan, type }: SubqueryExpr,
  body: SelectPlan,
  { alias, rows }: Rows,
  printer: NestedPrinter
): string {
  const value = valueOf(plan, body);
  const overList = aggregatesBy((name, args) => {
    if (args.length === 0) return 'length(w)';
    const orNull = /^(?:count|countIf|uniq|uniqExact|groupArray|groupArrayDistinct)$/.test(name) ? '' : 'OrNull';
    return `arrayReduce('${name}${orNull}', ${args.map((arg) => `arrayMap(${alias} -> ${arg}, w)`).join(', ')})`;
  });
  const print = (expr: Expr): string => printer.expression(expr, overList);
  const isKept = body.having === null ? 'TRUE' : `ifNull(${print(body.having)}, FALSE)`;
  const result =
    form === 'exists'
      ? isKept
      : form === 'array'
        ? castTo(`tuple(if(${isKept}, [${print(value as Expr)}], []))`, type)
        : castTo(`if(${isKept}, ${print(value as Expr)}, NULL)`, type);
  return `arrayElement(arrayMap(w -> ${result}, [${rows}]), 1)`;
}

function valueOf(plan: QueryPlan, { outputs }: SelectPlan): Expr | undefined {
  return outputs.find(({ name }) => name === plan.value)?.expr;
}
