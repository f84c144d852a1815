/**
 * Prints a correlated query as array functions that compute the list of its rows: like any expression, they can read
 * the outer row.
 */
import { readsOf } from '../../../ir/passes/correlation/correlation';
import type { Expr } from '../../../ir/expression';
import type { QueryPlan, SelectPlan, SetPlan, SortItem } from '../../../ir/plan';
import { isOrdered } from '../../../ir/passes/reachable';
import type { GroupOps } from '../../../ir/operations/ops';
import type { AggregatePrinters, NestedPrinter, SortKey } from '../../dialect/dialect';
import { sortedBy } from '../aggregates';
import { nameOnce } from '../values/bind-once';
import { groupNamed, elementOf, type FirstRows, type ArrayRows } from './row';
import { listAggregates } from './aggregates';
import { arrayOfFrom } from './from';
import { windowNames, windowsIn, windowValues } from './windows';
import { isSame } from '../values/lists';
import { keyOf } from '../values/keys';
import { castTo } from '../values/literals';
import { groupedBySet } from './grouping-sets';
import { itemAt, valueAt } from '../../../items';

/** Outputs as an array of tuples, sorted and limited. */
export function records(plan: QueryPlan, outputs: readonly string[], printer: NestedPrinter): string {
  const { body } = plan;
  return body.kind === 'select' ? ofSelect(plan, body, outputs, printer) : ofSet(plan, body, outputs, printer);
}

function limited(list: string, { limit, offset }: QueryPlan, printer: NestedPrinter): string {
  if (limit === null && offset === null) return list;
  const first = offset === null ? '1' : `ifNull(${count(offset, printer)}, 0) + 1`;
  const length = limit === null ? '' : `, ${count(limit, printer)}`;
  return `arraySlice(${list}, ${first}${length})`;
}

function started(list: string, { limit, offset }: QueryPlan, printer: NestedPrinter): string {
  if (limit === null) return list;
  const before = offset === null ? '' : ` + ifNull(${count(offset, printer)}, 0)`;
  return `arraySlice(${list}, 1, ${count(limit, printer)}${before})`;
}

/** Negative numbers would count from the end; NULL means no limit. */
function count(rows: Expr, printer: NestedPrinter): string {
  return nameOnce(printer.expression(rows), (v) => `if(${v} < 0, 0, ${v})`);
}

function inOrder(list: string, plan: QueryPlan, printer: NestedPrinter, place: (item: SortItem) => number): string {
  if (!isOrdered(plan, false)) return list;
  const keys = plan.orderBy.map((item) => {
    const { output, expr } = item;
    return { ...item, mayBeNaN: output === null ? printer.mayBeNaN(expr) : printer.outputMayBeNaN(plan, output) };
  });
  return sortedBy(list, keys, (key) => place(itemAt(plan.orderBy, key)));
}

function ofSet(plan: QueryPlan, set: SetPlan, outputs: readonly string[], printer: NestedPrinter): string {
  const order = isOrdered(plan, false) ? plan.orderBy.map(({ output }) => output as string) : [];
  const names = set.outputs.map(({ name }) => name);
  // Set operations other than UNION ALL compare whole rows.
  const read = set.operator === 'UNION ALL' ? [...new Set([...outputs, ...order])] : names;
  const wanted = read.map((name) => itemAt(set.outputs, names.indexOf(name)));
  const lists = set.branches.map((branch, index) => {
    const ofBranch = wanted.map(({ branchOutputs }) => itemAt(branchOutputs, index));
    // Branches may have signed and unsigned numbers.
    const aligned = wanted.map(({ type }, place) => {
      const value = castTo(`v.${place + 1}`, type);
      return set.operator === 'UNION ALL' ? value : keyOf(value, type);
    });
    return `arrayMap(v -> ${tuple(aligned)}, ${records(branch, ofBranch, printer)})`;
  });
  const all = combined(
    set.operator,
    lists,
    read.map((name) => printer.outputMayBeNaN(plan, name))
  );
  const rows = inOrder(all, plan, printer, ({ output }) => read.indexOf(output as string) + 1);
  return picked(
    limited(rows, plan, printer),
    outputs.map((name) => read.indexOf(name) + 1),
    read.length
  );
}

/** @param mayBeNaN for each position of the tuples */
function combined(operator: SetPlan['operator'], lists: readonly string[], mayBeNaN: readonly boolean[]): string {
  const [first = ''] = lists;
  switch (operator) {
    case 'UNION ALL':
      return lists.length === 1 ? first : `arrayConcat(${lists.join(', ')})`;
    case 'UNION DISTINCT':
      return `arrayDistinct(arrayConcat(${lists.join(', ')}))`;
    case 'INTERSECT DISTINCT':
    case 'EXCEPT DISTINCT': {
      const not = operator === 'EXCEPT DISTINCT' ? 'NOT ' : '';
      const isRow = mayBeNaN.map((nan, index) => isSame(`q.${index + 1}`, `r.${index + 1}`, nan)).join(' AND ');
      const found = (all: string): string =>
        mayBeNaN.includes(true) ? `arrayExists(q -> ${isRow}, ${all})` : `has(${all}, r)`;
      return lists.reduce((left, right) =>
        nameOnce(`tuple(arrayDistinct(${left}), ${right})`, (v) => `arrayFilter(r -> ${not}${found(`${v}.2`)}, ${v}.1)`)
      );
    }
  }
}

function ofSelect(plan: QueryPlan, body: SelectPlan, outputs: readonly string[], printer: NestedPrinter): string {
  if (body.groupingSets) {
    const lists = groupedBySet(body).map((set) => records({ ...plan, body: set }, outputs, printer));
    return lists.length === 1 ? itemAt(lists, 0) : `arrayConcat(${lists.join(', ')})`;
  }
  const exprOf = new Map(body.outputs.map(({ name, expr }) => [name, expr]));
  const read = body.distinct ? body.outputs.map(({ name }) => name) : outputs;
  const wanted = read.map((name) => valueAt(exprOf, name));
  const order = isOrdered(plan, false) ? plan.orderBy : [];
  const sortKey = ({ expr, output }: SortItem): Expr => (output === null ? expr : valueAt(exprOf, output));
  // Distinct rows can only be ordered by their outputs.
  const keys = body.distinct ? [] : order.map(sortKey);
  const { from, where, groupBy, having, qualify } = body;
  const values = [...wanted, ...keys, ...(qualify === null ? [] : [qualify])];
  const late = having === null ? [] : [having];
  const reads = readsOf(...values, ...late, ...(groupBy ?? []));
  const isPlain = groupBy === null && !body.distinct && windowsIn(values).length === 0 && qualify === null;
  const first: FirstRows = {
    order: order.map((item) => ({ ...item, expr: sortKey(item) })),
    cut: (list) => limited(list, plan, printer),
    start: (list) => started(list, plan, printer),
  };
  const rows = arrayOfFrom(from, where, { printer, reads, records, first: isPlain ? first : undefined });
  const units = kept(unitsOf(groupBy, rows, printer), late);
  const all = valuesOf(values, units);
  const some = qualify === null ? all : `arrayFilter(v -> ifNull(v.${values.length}, FALSE), ${all})`;
  const place = (item: SortItem): number =>
    body.distinct ? read.indexOf(item.output as string) + 1 : wanted.length + order.indexOf(item) + 1;
  // Sort keys are excluded from the comparison for DISTINCT.
  const compared = wanted.map(({ type }, index) => keyOf(`v.${index + 1}`, type));
  const different = body.distinct ? `arrayDistinct(arrayMap(v -> ${tuple(compared)}, ${some}))` : some;
  return picked(
    rows.isCut ? different : limited(inOrder(different, plan, printer, place), plan, printer),
    outputs.map((name) => read.indexOf(name) + 1),
    body.distinct ? read.length : values.length
  );
}

/** Selects positions of tuples of the given size. */
function picked(list: string, places: readonly number[], size: number): string {
  if (places.length === size && places.every((place, index) => place === index + 1)) return list;
  return `arrayMap(v -> ${tuple(places.map((place) => `v.${place}`))}, ${list})`;
}

function tuple(values: readonly string[]): string {
  return `tuple(${values.join(', ') || '1'})`;
}

/** The units of a result: rows or groups. */
interface Units {
  readonly sql: string;
  /** Name of a unit inside functions. */
  readonly name: string;
  readonly printer: NestedPrinter;
  readonly aggregates: AggregatePrinters<GroupOps> | undefined;
  /** Wraps the text printed for one unit. */
  readonly wrap: (body: string) => string;
}

function unitsOf(groupBy: SelectPlan['groupBy'], rows: ArrayRows, around: NestedPrinter): Units {
  const { alias, sql } = rows;
  const printer = around.within(elementOf(rows));
  const wrap = (body: string): string => body;
  if (groupBy === null) return { sql, name: alias, printer, aggregates: undefined, wrap };
  const ofGroup = printer.within(groupNamed('w'));
  const group = { name: 'w', printer: ofGroup, aggregates: listAggregates(alias, 'w') };
  // Outside of aggregates, GROUP BY () reads nothing of its rows, and any other group reads values that are equal in
  // all of them.
  if (groupBy.length === 0) return { ...group, sql: `[${sql}]`, wrap };
  const groups = grouped(
    rows,
    groupBy.map((expr) => ({ sql: printer.expression(expr), mayBeNaN: printer.mayBeNaN(expr) }))
  );
  return { ...group, sql: groups, wrap: (body) => `arrayMap(${alias} -> ${body}, arraySlice(w, 1, 1))[1]` };
}

function kept(units: Units, having: readonly Expr[]): Units {
  if (having.length === 0) return units;
  const { sql, name, printer, aggregates, wrap } = units;
  const holds = having.map((expr) => printer.expression(expr, aggregates)).join(' AND ');
  return { ...units, sql: `arrayFilter(${name} -> ${wrap(`ifNull(${holds}, FALSE)`)}, ${sql})` };
}

/** One tuple of values per row or group. */
function valuesOf(values: readonly Expr[], { sql, name, printer, aggregates, wrap }: Units): string {
  const calls = windowsIn(values);
  if (calls.length === 0) {
    return `arrayMap(${name} -> ${wrap(tuple(values.map((expr) => printer.expression(expr, aggregates))))}, ${sql})`;
  }
  const windows = windowNames(calls);
  const beside = printer.within(windows);
  const record = wrap(tuple(values.map((expr) => beside.expression(expr, aggregates))));
  const lists = calls.map((call) =>
    windowValues(
      call,
      'u',
      name,
      (exprs) => wrap(tuple(exprs.map((expr) => printer.expression(expr, aggregates)))),
      printer
    )
  );
  const all = `arrayMap((${[name, ...windows.names].join(', ')}) -> ${record}, ${['u', ...lists].join(', ')})`;
  return `arrayMap(u -> ${all}, [${sql}])[1]`;
}

/** Groups adjacent rows with equal keys into arrays. */
function grouped({ alias, sql }: ArrayRows, keys: readonly Pick<SortKey, 'sql' | 'mayBeNaN'>[]): string {
  const sorted = sortedBy(
    `arrayMap(${alias} -> ${tuple([alias, ...keys.map((key) => key.sql)])}, ${sql})`,
    keys.map(({ mayBeNaN }) => ({ direction: 'ASC', nulls: 'FIRST', mayBeNaN })),
    (key) => key + 2
  );
  const same = keys.map(({ mayBeNaN }, key) => isSame(`r.${key + 2}`, `p.${key + 2}`, mayBeNaN)).join(' AND ');
  const groups = nameOnce(sorted, (v) => `arraySplit((r, p) -> NOT (${same}), ${v}, arrayRotateRight(${v}, 1))`);
  return `arrayMap(w -> arrayMap(r -> r.1, w), ${groups})`;
}
