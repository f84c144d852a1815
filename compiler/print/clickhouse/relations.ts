/** Printing of tables, parts and opened lists. */
import { MAX_RECURSION_STEPS } from '../../functions/limits';
import { runFailureText } from '../../output/run-failure';
import type { ScalarType } from '#contract/events/source';
import type { RelationPlan } from '../../ir/plan';
import { type Type, elementOf } from '../../ir/types';
import { placeSuffix } from '../expressions/failure-place';
import type { RelationDialect } from '../dialect/relation-dialect';
import { storedNumberText, toText } from './casts';
import { elements } from './values/lists';
import { replacedIn } from './values/nested';
import { castTo, quoteIdentifier, quoteText, typeName } from './values/literals';
import { itemAt } from '../../items';

type ListInput = Extract<RelationPlan['input'], { kind: 'list' }>;

export const clickHouseRelations: RelationDialect = {
  quoteIdentifier,

  tableName: (part) => quoteIdentifier(part.table),

  // The index is on this expression (server/stores/clickhouse/schema/statements.ts): it cannot be on a Nullable column.
  // `indexHint` has no effect on such an index.
  textIndex: { pieceLength: 5, like: (column, pattern) => `ifNull(${quoteIdentifier(column)}, '') LIKE ${pattern}` },

  textTest: null,

  // Several threads read the result of any form in an order of their own.
  writtenTable: null,

  isPlain: (part, name, type) => part.columns.get(name) === storedKind(type) && !part.json?.storedAs.has(name),

  partColumn: (part, name, type) => {
    const stored = part?.columns.get(name);
    if (part === null || stored === undefined) return castTo('NULL', type);
    const types = part.json?.storedAs.get(name);
    if (part.json !== null && types !== undefined) return jsonPath(part.json.name, name, types, type);
    const column = quoteIdentifier(name);
    // ClickHouse has no columns for lists.
    return stored === storedKind(type) ? column : converted(column, { kind: stored as ScalarType }, type);
  },

  unnested: (from, alias, { element, offset, keepEmpty }, list) => {
    const items = [`${elements(list)} AS ${quoteIdentifier(element)}`];
    if (offset !== null) items.push(`${places(elements(list), keepEmpty)} AS ${quoteIdentifier(offset)}`);
    const names = [element, offset].filter((name) => name !== null).map(quoteIdentifier);
    const join = `${keepEmpty ? 'LEFT ' : ''}ARRAY JOIN ${items.join(', ')}`;
    return `(SELECT ${alias}.*, ${names.join(', ')} FROM ${from} ${join})`;
  },

  listRows,

  lateral: (left, alias, input, list, keepsLeft) =>
    left === null
      ? `${listRows(input, list)} AS ${alias}`
      : `${left} ${keepsLeft ? 'LEFT ' : ''}ARRAY JOIN ${listRecords(input, list)} AS ${alias}`,

  // ClickHouse allows only a query here. Columns are read by their full names. See `keyed` for the limit.
  joinGroup: (join, columns, alias) => {
    const items = columns.map(
      ({ relation, name }) => `${relation}.${quoteIdentifier(name)} AS ${quoteIdentifier(`${relation}.${name}`)}`
    );
    if (items.length === 0) return `(SELECT 1 FROM ${join} LIMIT ${MAX_ROWS}) AS ${alias}`;
    return `(SELECT ${items.join(', ')} FROM ${join}) AS ${alias}`;
  },

  // ClickHouse leaves out a condition that is the constant NULL, as if it were true. It takes no column for the whole
  // condition of a join, and does not find the tables of a subquery that is the whole condition of another.
  nullAsFalse: (condition) => `ifNull(${condition}, FALSE)`,

  // ClickHouse requires a key for outer joins: use one that is equal for all rows.
  looseJoinKey: (left, right) => `ignore(${left}) = ignore(${right}) AND `,

  // ClickHouse looks for the table of a constant below a join, but never below a limit.
  keyed: (sql, alias) => `(SELECT * FROM ${sql} LIMIT ${MAX_ROWS}) AS ${alias}`,

  // Over no rows, GROUP BY () returns no row in ClickHouse, but an aggregate without GROUP BY returns one.
  // ClickHouse evaluates a condition without aggregates before it groups, and does not group when `count() >= 0`, which
  // is always true, is all that remains. So the condition and the count are one expression.
  groupOfAll: (isAggregated, having) => {
    if (isAggregated) return { groupBy: '', having };
    const [condition] = having;
    return { groupBy: '', having: [condition === undefined ? 'count() >= 0' : `if(${condition}, count() >= 0, 0)`] };
  },

  // ClickHouse makes a group of no rows of a list if the query reads no other value of them (seen in 26.7).
  groupsOfConstants: (having) => [...having, 'count() > 0'],

  numbered: () => {
    throw new Error('rows of this store have no numbers');
  },

  // ClickHouse may evaluate conditions in any order, but never before a limit.
  confined: ({ part, columns, condition, guarded }) => {
    const items = columns.map(({ sql, name }) => `${sql} AS ${quoteIdentifier(name)}`).join(', ');
    const limit = guarded ? ` LIMIT ${MAX_ROWS}` : '';
    return `SELECT ${items || '1 AS one'} FROM ${quoteIdentifier(part.table)} WHERE ${condition}${limit}`;
  },

  firstStep: "toInt64('0')",

  nextStep: (column) => {
    const last = `assumeNotNull(max(${column}))`;
    const failure = quoteText(`${runFailureText('recursion_limit')}${placeSuffix()}`);
    return `${last} + 1 + throwIf(${last} > ${MAX_RECURSION_STEPS}, ${failure})`;
  },

  // A key that is not Nullable would be the default value of its type.
  groupingKey: castTo,

  // Correlated queries are printed as lists.
  importsOuterColumns: false,

  joinsBySubqueries: true,

  // VOLATILE_SETTINGS keep filters where they are written.
  tableBehindFilters: quoteIdentifier,
  samplingQuery: (sql) => sql,

  withHint: () => '',

  // ClickHouse looks for the table of a join key below the joins of a query; a constant has none.
  constantOfJoin: (sql, column) => `if(length(toString(tuple(${column}))) < 0, NULL, ${sql})`,

  // A union of signed and unsigned integers would produce a Variant.
  aligned: castTo,

  result: resultValue,
};

/** Bytes are returned as hexadecimal digits, which have the same order: JSON holds texts only. */
function resultValue(sql: string, type: Type): string {
  switch (type.kind) {
    case 'BOOL':
      return castTo(sql, type);
    case 'DATE':
      return toText(sql, type);
    default:
      return replacedIn(sql, type, 'BYTES', (bytes) => `hex(${bytes})`);
  }
}

/** Larger than any table. */
const MAX_ROWS = '18446744073709551615';

/** Records are stored as JSON text. */
function storedKind(type: Type): Type['kind'] {
  return type.kind === 'RECORD' || type.kind === 'SINGLE' ? 'STRING' : type.kind;
}

/** ARRAY JOIN cannot be used, because it cannot read rows of an outer query. */
function listRows(input: ListInput, list: string): string {
  const rows = `arrayJoin(${listRecords(input, list)})`;
  const items = [input.element, input.offset]
    .filter((name) => name !== null)
    .map((name, index) => `tupleElement(${rows}, ${index + 1}) AS ${quoteIdentifier(name)}`);
  return `(SELECT ${items.join(', ')})`;
}

/** List elements as records, named as readers of the relation expect. */
export function listRecords(input: ListInput, sql: string): string {
  const isNumbered = input.offset !== null;
  const record = isNumbered ? '(x, i) -> tuple(x, i - 1)' : 'x -> tuple(x)';
  const rest = isNumbered ? `, arrayEnumerate(${elements(sql)})` : '';
  return `CAST(arrayMap(${record}, ${elements(sql)}${rest}), ${quoteText(`Array(${listRecordType(input)})`)})`;
}

export function listRecordType({ list, element, offset }: ListInput): string {
  const type = elementOf(list.type);
  const fields = [`${quoteIdentifier(element)} ${typeName(type)}`];
  if (offset !== null) fields.push(`${quoteIdentifier(offset)} Nullable(Int64)`);
  return `Tuple(${fields.join(', ')})`;
}

/** @param isOptional whether the place of a missing element is NULL */
function places(array: string, isOptional: boolean): string {
  const all = `arrayMap(i -> toInt64(i) - 1, arrayEnumerate(${array}))`;
  return isOptional ? `CAST(${all}, 'Array(Nullable(Int64))')` : all;
}

/** Reads a path of a JSON column as each type that its values may have. */
function jsonPath(column: string, name: string, types: readonly ScalarType[], type: Type): string {
  const path = `${quoteIdentifier(column)}.${quoteIdentifier(name)}`;
  const reads = types.map((kind) => {
    const read = `${path}.:${plainTypeName({ kind })}`;
    return kind === type.kind ? read : converted(read, { kind }, type);
  });
  return reads.length === 1 ? itemAt(reads, 0) : `coalesce(${reads.join(', ')})`;
}

function plainTypeName(type: Type): string {
  return typeName(type).replace(/^Nullable\((.*)\)$/, '$1');
}

/** Converts a stored value to another type; NULL if it is not possible. */
function converted(sql: string, from: Type, to: Type): string {
  if (to.kind === 'STRING') return from.kind === 'FLOAT64' ? storedNumberText(sql) : toText(sql, from);
  if (to.kind === 'INT64' && from.kind === 'STRING') return `toInt64OrNull(${sql})`;
  if (to.kind === 'FLOAT64' && from.kind === 'STRING') return `toFloat64OrNull(${sql})`;
  // An accurate cast has no value for whole numbers beyond 2^53, which FLOAT64 rounds.
  if (to.kind === 'FLOAT64' && from.kind === 'INT64') return `toFloat64(${sql})`;
  return `accurateCastOrNull(${sql}, ${quoteText(plainTypeName(to))})`;
}
