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
  const { plan } = expr;
  const { body } = plan;
  if (body.kind !== 'select' || body.from === null || body.qualify !== null) return undefined;
  const lists = listsOf(body.from);
  if (lists === undefined || partsOf(plan, body).some((part) => some(part, isQuery))) return undefined;
  const [list] = lists;
  if (expr.form === 'exists' && body.groupBy === null && plan.limit === null && plan.offset === null)
    return anyElement(lists, body, printer);
  const isPlain = !body.distinct && plan.limit === null && plan.offset === null;
  if (list === undefined || lists.length > 1 || !isPlain) return undefined;
  const alias = printer.relationAlias(list.id);
  const all = listRecords(list.input, printer.expression(list.input.list));
  const rows = body.where.length === 0 ? all : `arrayFilter(${alias} -> ${holds(body.where, printer)}, ${all})`;
  if (body.groupBy === null) return eachElement(expr, body, { alias, rows }, printer);
  return body.groupBy.length === 0 ? allElements(expr, body, { alias, rows }, printer) : undefined;
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

function isQuery({ kind }: Expr): boolean {
  return kind === 'subquery' || kind === 'in-subquery';
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
): string | undefined {
  const value = valueOf(plan, body);
  if (value === undefined) return undefined;
  const keys = plan.orderBy.map((item) => body.outputs.find(({ name }) => name === item.output)?.expr ?? item.expr);
  if ([value, ...keys].some((expr) => some(expr, ({ kind }) => kind === 'aggregate'))) return undefined;
  const record = `tuple(${[value, ...keys].map((expr) => printer.expression(expr)).join(', ')})`;
  const values = sortedBy(`arrayMap(${alias} -> ${record}, ${rows})`, plan.orderBy, (key) => key + 2);
  if (form === 'array') return castTo(`tuple(arrayMap(v -> v.1, ${values}))`, type);
  return nameOnce(values, (v) =>
    form === 'exists'
      ? `notEmpty(${v})`
      : `if(${failsWhen(`length(${v}) > 1`, 'scalar_subquery')} OR empty(${v}), NULL, ${v}[1].1)`
  );
}

/** One value for all elements together. */
function allElements(
  { form, plan, type }: SubqueryExpr,
  body: SelectPlan,
  { alias, rows }: Rows,
  printer: NestedPrinter
): string | undefined {
  const value = valueOf(plan, body);
  if (value === undefined && form !== 'exists') return undefined;
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
