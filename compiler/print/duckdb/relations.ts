/** Printing of tables, parts and opened lists. */
import type { CatalogPart } from '../../catalog/catalog';
import type { Expr } from '../../ir/expression';
import type { UnnestPlan } from '../../ir/plan';
import type { Type } from '../../ir/types';
import type { ListInput, RelationDialect } from '../dialect/relation-dialect';
import { MAX_RECURSION_STEPS } from '../../functions/limits';
import { duckDb } from './dialect';
import { raise } from './values/literals';

const relations: Omit<RelationDialect, 'partColumn'> = {
  quoteIdentifier: (name) => duckDb.quoteIdentifier(name),

  tableName,

  textIndex: null,

  textTest: (columns, text) => {
    const names = columns.map(({ name }) => duckDb.quoteIdentifier(name)).join(', ');
    return `contains(${columns.length === 1 && columns[0]?.type.kind === 'STRING' ? names : `concat(${names})`}, ${text})`;
  },

  numbered: ({ from, to, isOpen }) => `rowid >= ${from}${isOpen ? '' : ` AND rowid < ${to}`}`,

  isPlain: (part, name, type) => part.columns.get(name) === physicalName(type),

  unnested: (from, alias, unnest, list) => `(SELECT ${alias}.*, ${unnestItems(unnest, list)} FROM ${from})`,

  listRows,

  lateral: (left, alias, input, list, keepsLeft) => {
    const rows = `LATERAL ${listRows(input, list)} AS ${alias}`;
    if (left === null) return rows;
    return keepsLeft ? `${left} LEFT JOIN ${rows} ON TRUE` : `${left} CROSS JOIN ${rows}`;
  },

  joinGroup: (join) => `(${join})`,

  nullAsFalse: (condition) => condition,

  looseJoinKey: () => '',
  keyed: (sql) => sql,

  groupOfAll: (_isAggregated, having) => ({ groupBy: ' GROUP BY ()', having }),

  groupsOfConstants: (having) => having,

  groupingKey: (sql) => sql,

  result: (sql) => sql,

  constantOfJoin: (sql) => sql,

  aligned: (sql) => sql,

  // DuckDB evaluates an equality of a column and a constant while scanning, before all other conditions, and never
  // one that may fail. Conditions behind CASE compare two columns, so they are not evaluated there either. DuckDB may
  // reorder computed conditions; the volatile call keeps all others above it.
  confined: ({ part, columns, condition, isPlain, guarded, rows }) => {
    const test = isPlain ? condition : `${condition} AND random() >= 0`;
    const items = columns.map(({ sql, name }) => {
      const value = guarded ? `CASE WHEN ${test} THEN ${sql} END` : sql;
      return `${value} AS ${duckDb.quoteIdentifier(name)}`;
    });
    const all = rows === null ? condition : `${rows} AND ${condition}`;
    return `SELECT ${items.join(', ') || '1 AS one'} FROM ${tableName(part)} WHERE ${all}`;
  },

  joinsBySubqueries: false,
  importsOuterColumns: true,

  firstStep: 'CAST(0 AS BIGINT)',

  nextStep: (column) =>
    `CASE WHEN max(${column}) > ${MAX_RECURSION_STEPS} THEN ${raise('recursion_limit')} ELSE max(${column}) + 1 END`,

  // DuckDB evaluates filters of readers in a materialized query once more, also those with random values.
  tableBehindFilters: (name) => `(SELECT * FROM ${duckDb.quoteIdentifier(name)} OFFSET 0)`,

  // DuckDB would filter the rows of a join instead, with a random value for each of them.
  samplingQuery: (sql) => `SELECT * FROM (${sql}) OFFSET 0`,

  // Aggregates read the branches of a union in another order.
  writtenTable: (names, rows) =>
    `SELECT * FROM (VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')}) AS v(${names.map((name) => duckDb.quoteIdentifier(name)).join(', ')})`,

  // A WITH query that is read once is planned best together with its reader; one read twice is computed once. Where
  // an expression is planned twice, as the argument of a macro is, DuckDB loses the parameters of a query without a
  // table that it copies.
  withHint: ({ readers, hasConstantRows }) => (readers > 1 || hasConstantRows ? 'MATERIALIZED ' : 'NOT MATERIALIZED '),
};

/** @param expression prints expressions, for converting columns stored as another type */
export function duckDbRelations(expression: (expr: Expr) => string): RelationDialect {
  return {
    ...relations,
    partColumn: (part, name, type) => {
      const stored = part?.columns.get(name);
      if (stored === undefined) return expression({ kind: 'literal', type: physicalType(type), value: null });
      const quoted = duckDb.quoteIdentifier(name);
      return stored === physicalName(type) ? quoted : `TRY_CAST(${quoted} AS ${duckDb.typeName(physicalType(type))})`;
    },
  };
}

function tableName({ table, database }: CatalogPart): string {
  return [...(database === undefined ? [] : [database, 'main']), table]
    .map((name) => duckDb.quoteIdentifier(name))
    .join('.');
}

function listRows(input: ListInput, list: string): string {
  return `(SELECT ${unnestItems({ ...input, keepEmpty: false }, list)})`;
}

/** Select items that open a list, one row per element. */
function unnestItems(
  { element, offset, keepEmpty }: Pick<UnnestPlan, 'element' | 'offset' | 'keepEmpty'>,
  list: string
): string {
  const rows = keepEmpty ? `CASE WHEN len(${list}) > 0 THEN ${list} ELSE [NULL] END` : list;
  const item = `unnest(${rows}) AS ${duckDb.quoteIdentifier(element)}`;
  if (offset === null) return item;
  // Two unnests in one select list are expanded in parallel.
  const places = keepEmpty
    ? `CASE WHEN len(${list}) > 0 THEN range(len(${list})) ELSE [NULL] END`
    : `range(len(${list}))`;
  return `${item}, unnest(${places}) AS ${duckDb.quoteIdentifier(offset)}`;
}

/** Records are stored as JSON text. */
function physicalType(type: Type): Type {
  return type.kind === 'RECORD' || type.kind === 'SINGLE' ? { kind: 'STRING' } : type;
}

function physicalName(type: Type): string {
  const physical = physicalType(type);
  return physical.kind === 'ARRAY' ? `ARRAY<${physical.element.kind}>` : physical.kind;
}
