/** Materializes rows of tables as an array by an uncorrelated query, which is read once per statement. */
import { columnBelow, outerReads, readsOf, relationsOf, type Read } from '../../../ir/passes/correlation/correlation';
import type { Expr, SortExpr } from '../../../ir/expression';
import { expressionKey } from '../../../ir/passes/expression-key';
import type { FromPlan, QueryPlan } from '../../../ir/plan';
import type { Type } from '../../../ir/types';
import type { NestedPrinter } from '../../dialect/dialect';
import { filtered, holds, recordType, type ArrayContext, type ArrayRows } from './row';
import { quoteIdentifier, quoteText } from '../values/literals';

interface Field {
  readonly name: string;
  readonly expr: Expr;
}

/** An equality between an expression over these rows and one over the outer rows. */
interface Key {
  readonly own: Expr;
  readonly other: Expr;
}

/** @param from is uncorrelated; `conditions` may be correlated */
export function materializedRows(from: FromPlan, conditions: readonly Expr[], context: ArrayContext): ArrayRows {
  const { printer } = context;
  const { relations, own, rest, keys } = splitConditions(from, conditions);
  const fields = fieldsOf(from, printer, [...context.reads, ...readsOf(...rest)]);
  const names = new Map(fields.map(({ name, expr }) => [expressionKey(expr), name]));
  const nameIn: ArrayRows['nameIn'] = (row, expr) => {
    const column = columnBelow(expr);
    const name = column && relations.has(column.relation) ? names.get(expressionKey(expr)) : undefined;
    return name === undefined ? undefined : `${row}.${quoteIdentifier(name)}`;
  };
  const type = typeOf(fields);
  const alias = `${printer.relationAlias(Math.min(...relations))}g`;
  const first =
    keys.length === 0 && context.first?.order.every(({ expr }) => isOwnColumn(expr, relations))
      ? context.first
      : undefined;
  const values = [...keys.map((key) => key.own), ...fields.map(({ expr }) => expr)];
  const query = printer.plan(queryOf(from, own, values, first?.order ?? []));
  const record = tupleOf(
    fields.map((_, index) => `tupleElement(q."v", ${keys.length + index + 1})`),
    type
  );
  if (keys.length > 0) {
    return filtered({ sql: sameKey(query, record, keys, printer), type, alias, nameIn }, rest, printer);
  }
  const rows = {
    sql: `(SELECT groupArray(${record}) FROM (${query}) AS q)`,
    type,
    alias,
    nameIn,
    isCut: first !== undefined,
  };
  const { cut, start } = first ?? { cut: asItIs, start: asItIs };
  if (rest.length === 0) return { ...rows, sql: cut(rows.sql) };
  const wanted = new Set(readsOf(...rest).map(({ expr }) => names.get(expressionKey(expr))));
  const found = cut(
    foundIn(
      rows,
      fields.filter(({ name }) => wanted.has(name)),
      holds(rows, rest, printer),
      start
    )
  );
  return { ...rows, sql: `arrayMap(i -> ${rows.sql}[i], ${found})` };
}

/** Kinds for which set membership agrees with equality: a set does not support NaN or numbers of mixed types. */
const SET_KINDS: ReadonlySet<Type['kind']> = new Set([
  'STRING',
  'INT64',
  'BOOL',
  'TIMESTAMP',
  'DATETIME',
  'DATE',
  'TIME',
]);

/**
 * Existence of a row, tested by a set of keys instead of lists; undefined if conditions are more than equalities of
 * keys.
 */
export function hasRow(from: FromPlan, conditions: readonly Expr[], printer: NestedPrinter): string | undefined {
  const { own, rest, keys } = splitConditions(from, conditions);
  const isSimple = keys.every((key) => key.own.type.kind === key.other.type.kind && SET_KINDS.has(key.own.type.kind));
  if (keys.length === 0 || keys.length < rest.length || !isSimple) return undefined;
  const query = printer.plan(
    queryOf(
      from,
      own,
      keys.map((key) => key.own),
      []
    )
  );
  const items = keys.map((_, index) => `tupleElement(q."v", ${index + 1})`);
  const where = items.map((item) => `${item} IS NOT NULL`).join(' AND ');
  const others = keys.map((key) => printer.expression(key.other)).join(', ');
  return `ifNull((${others}) IN (SELECT ${items.join(', ')} FROM (${query}) AS q WHERE ${where}), FALSE)`;
}

interface Conditions {
  readonly relations: ReadonlySet<number>;
  /** Uncorrelated conditions. */
  readonly own: readonly Expr[];
  readonly rest: readonly Expr[];
  /** Equalities among the remaining conditions. */
  readonly keys: readonly Key[];
}

function splitConditions(from: FromPlan, conditions: readonly Expr[]): Conditions {
  const relations = new Set(relationsOf(from));
  const own = conditions.filter((expr) => outerRelations(expr).every((id) => relations.has(id)));
  const rest = conditions.filter((expr) => !own.includes(expr));
  return { relations, own, rest, keys: rest.flatMap((expr) => keysIn(expr, relations)) };
}

function isOwnColumn(expr: Expr, relations: ReadonlySet<number>): boolean {
  const column = columnBelow(expr);
  return column !== undefined && relations.has(column.relation);
}

function typeOf(fields: readonly Field[]): string {
  return recordType(fields.map(({ name, expr }) => ({ name, type: expr.type })));
}

function tupleOf(values: readonly string[], type: string): string {
  return `CAST(tuple(${values.join(', ') || '1'}), ${quoteText(type)})`;
}

function asItIs(list: string): string {
  return list;
}

/** Number of rows compared at once with a block of outer rows; each pair takes about thirty bytes. */
const ROWS_AT_ONCE = 128;

/**
 * Positions of the rows that satisfy a condition. Only the fields that the condition reads are passed, because lists
 * are copied for each outer row.
 */
function foundIn(
  { sql, alias }: ArrayRows,
  wanted: readonly Field[],
  condition: string,
  start: (list: string) => string
): string {
  const type = typeOf(wanted);
  const narrow = `arrayMap(r -> ${tupleOf(
    wanted.map(({ name }) => `r.${quoteIdentifier(name)}`),
    type
  )}, ${sql})`;
  const some = (list: string): string => `arraySlice(${list}, c, ${ROWS_AT_ONCE})`;
  const fits = `arrayFilter((i, ${alias}) -> ${condition}, ${some(`arrayEnumerate(${sql})`)}, ${some(narrow)})`;
  const places = `range(1, toUInt32(length(${sql})) + 1, ${ROWS_AT_ONCE})`;
  return `arrayFold((a, c) -> ${start(`arrayConcat(a, ${fits})`)}, ${places}, CAST([], 'Array(UInt32)'))`;
}

function outerRelations(expr: Expr): readonly number[] {
  return outerReads(expr).map(({ column }) => column.relation);
}

function keysIn(condition: Expr, relations: ReadonlySet<number>): readonly Key[] {
  const [a, b] = condition.kind === 'call' && condition.fn === 'eq' ? condition.args : [];
  if (a === undefined || b === undefined) return [];
  const isOwn = (expr: Expr): boolean => {
    const read = outerRelations(expr);
    return read.length > 0 && read.every((id) => relations.has(id));
  };
  const isOther = (expr: Expr): boolean => outerRelations(expr).every((id) => !relations.has(id));
  if (isOwn(a) && isOther(b)) return [{ own: a, other: b }];
  return isOwn(b) && isOther(a) ? [{ own: b, other: a }] : [];
}

/** Fields read of the rows, without duplicates. */
function fieldsOf(from: FromPlan, printer: NestedPrinter, reads: readonly Read[]): readonly Field[] {
  const columns = new Map(relationsIn(from).map(({ id, opened }) => [id, { opened, read: printer.columns(id) }]));
  const found = new Map<string, Expr>();
  for (const { expr, column } of reads) {
    const relation = columns.get(column.relation);
    if (relation === undefined) continue;
    // Columns of a relation that are never read are not available.
    if (relation.read.has(column.name) || relation.opened.includes(column.name)) found.set(expressionKey(expr), expr);
  }
  return [...found.values()].map((expr, index) => ({ name: `e${index + 1}`, expr }));
}

/** Relations, including those that opened lists create. */
function relationsIn(from: FromPlan): readonly { readonly id: number; readonly opened: readonly (string | null)[] }[] {
  if (from.kind === 'join') return [...relationsIn(from.left), ...relationsIn(from.right)];
  return [{ id: from.id, opened: from.unnests.flatMap(({ element, offset }) => [element, offset]) }];
}

/** A query with one column `v` that contains all values. */
function queryOf(
  from: FromPlan,
  where: readonly Expr[],
  values: readonly Expr[],
  order: readonly SortExpr[]
): QueryPlan {
  const named = values.map((expr, index) => ({ name: `k${index}`, expr }));
  const type: Type = { kind: 'STRUCT', fields: named.map(({ name, expr }) => ({ name, type: expr.type })) };
  const value: Expr =
    values.length === 0
      ? { kind: 'literal', type: { kind: 'BOOL' }, value: true }
      : { kind: 'struct', fields: named, type };
  return {
    kind: 'query',
    body: {
      kind: 'select',
      distinct: false,
      outputs: [{ name: 'v', expr: value }],
      from,
      where: [...where],
      groupBy: null,
      having: null,
      qualify: null,
    },
    orderBy: order.map((item) => ({ ...item, output: null })),
    limit: null,
    offset: null,
    value: 'v',
    ordered: true,
  };
}

/**
 * Rows whose key hash equals that of the outer row, to reduce the number of rows to compare. ClickHouse evaluates a
 * repeated query only once.
 */
function sameKey(query: string, record: string, keys: readonly Key[], printer: NestedPrinter): string {
  const hash = (values: readonly string[]): string => `ifNull(sipHash64(${values.join(', ')}), 0)`;
  const own = keys.map((key, index) => comparable(`tupleElement(q."v", ${index + 1})`, key));
  const other = keys.map((key) => comparable(printer.expression(key.other), key));
  const groups =
    `(SELECT tuple(groupArray(g.h), groupArray(g.r)) FROM ` +
    `(SELECT ${hash(own)} AS h, groupArray(${record}) AS r FROM (${query}) AS q GROUP BY h) AS g)`;
  const hashes = `tupleElement(${groups}, 1)`;
  const place = `transform(${hash(other)}, ${hashes}, arrayEnumerate(${hashes}), toUInt32(0))`;
  return `arrayElement(tupleElement(${groups}, 2), ${place})`;
}

/** Maps equal values to equal bytes. */
function comparable(sql: string, { own, other }: Key): string {
  const kinds = [own.type.kind, other.type.kind];
  return kinds.includes('FLOAT64') ? `(toFloat64(${sql}) + 0)` : `toNullable(${sql})`;
}
