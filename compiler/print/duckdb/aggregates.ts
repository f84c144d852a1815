/** Aggregates and window functions. */
import type { AggregateExpr } from '../../ir/expression';
import { topFields } from '../base/aggregates';
import type { AggregatePrinter, AggregatePrinters, AnyAggregatePrinter, SortKey } from '../dialect/dialect';
import { structNames, typeName } from './values/literals';
import { orderKey } from './values/order-key';
import { fieldOf } from './values/bind-once';
import { forLambda } from './values/for-lambda';
import { itemAt } from '../../items';

/** DuckDB counts and sums integers as HUGEINT. */
const asBigint =
  (printer: AnyAggregatePrinter): AnyAggregatePrinter =>
  (parts, call, mayBeNaN) =>
    call.type.kind === 'INT64'
      ? `${call.safe === true ? 'TRY_CAST' : 'CAST'}(${printer(parts, call, mayBeNaN)} AS BIGINT)`
      : printer(parts, call, mayBeNaN);

const named =
  (name: string): AnyAggregatePrinter =>
  (parts, call) =>
    plain(name, parts, call);

const MINUS_INFINITY = `CAST('-Infinity' AS DOUBLE)`;

export const aggregates: AggregatePrinters = {
  count_rows: ({ over }) => `count(*)${over}`,
  count: named('count'),
  // DuckDB returns NULL when the condition is always NULL.
  count_if: (...all) => `coalesce(${asBigint(named('count_if'))(...all)}, CAST(0 AS BIGINT))`,
  sum: asBigint(named('sum')),
  avg: named('avg'),
  // DuckDB sorts NaN above all numbers.
  min: (parts, call, mayBeNaN) => {
    const least = plain('min', parts, call);
    const [x] = parts.args;
    return mayBeNaN(call)
      ? `(CASE WHEN bool_or(isnan(${x}))${parts.over} THEN CAST('NaN' AS DOUBLE) ELSE ${least} END)`
      : least;
  },
  max: named('max'),
  any_value: named('any_value'),
  logical_and: named('bool_and'),
  logical_or: named('bool_or'),
  stddev_samp: spread('stddev_samp'),
  var_samp: spread('var_samp'),
  stddev_pop: spread('stddev_pop'),
  var_pop: spread('var_pop'),
  group_bit_and: named('bit_and'),
  group_bit_or: named('bit_or'),
  group_bit_xor: named('bit_xor'),
  corr: ofPairs('corr', 2),
  covar_pop: ofPairs('covar_pop', 1),
  covar_samp: ofPairs('covar_samp', 2),
  // Of 10 values DuckDB's approx_count_distinct counts 9 to 12. hash(NULL) is a number.
  approx_count_distinct: ({ args: [x], over }) =>
    `count(DISTINCT CASE WHEN ${x} IS NOT NULL THEN hash(${x}) END)${over}`,
  approx_quantiles: (parts, call, mayBeNaN) => {
    const n = call.options.n;
    const fractions = `[${Array.from({ length: n + 1 }, (_, k) => fraction(k, n)).join(', ')}]`;
    return mayBeNaN(call)
      ? `list_transform(${forLambda(quantile(ranked(parts.args[0]), call, fractions))}, lambda v: ${fieldOf('v', 'x')})`
      : quantile(parts.args[0], call, fractions);
  },
  quantile: (parts, call, mayBeNaN) => {
    const at = fraction(call.options.k, call.options.n);
    return mayBeNaN(call)
      ? `struct_extract(${quantile(ranked(parts.args[0]), call, at)}${parts.over}, 'x')`
      : quantile(parts.args[0], call, at) + parts.over;
  },
  quantile_cont: ({ args: [x], over }, call, mayBeNaN) => {
    const found = (value: string): string => `quantile_cont(${value}, ${fraction(call.options.at, 1)})${over}`;
    if (!mayBeNaN(call)) return found(x);
    const least = found(`(CASE WHEN isnan(${x}) THEN ${MINUS_INFINITY} ELSE ${x} END)`);
    const isBelowAll = `bool_or(isnan(${x}))${over} AND ${least} = ${MINUS_INFINITY}`;
    return `(CASE WHEN ${isBelowAll} THEN CAST('NaN' AS DOUBLE) ELSE ${least} END)`;
  },
  // arg_max skips rows whose value is NULL.
  max_by: ({ args, over }) => `arg_max_null(${args.join(', ')})${over}`,
  min_by: ({ args: [x, key], over }, { args: [, expr] }, mayBeNaN) =>
    `arg_min_null(${x}, ${expr !== undefined && mayBeNaN(expr) ? ranked(key) : key})${over}`,
  approx_top_count: ({ args: [x] }, { type, options }) => {
    const [value, count] = structNames(Object.values(topFields(type)).map(({ name }) => name));
    const counted = `map_entries(histogram(struct_pack(v := ${x})))`;
    const key = fieldOf(fieldOf('e', 'key'), 'v');
    const sortable = `list_transform(${forLambda(counted)}, lambda e: struct_pack(n := - CAST(${fieldOf('e', 'value')} AS BIGINT), o := ${key} IS NOT NULL, v := ${key}))`;
    const top = `list_slice(list_sort(${sortable}), 1, ${options.n})`;
    return `list_transform(${forLambda(top)}, lambda e: struct_pack(${value} := ${fieldOf('e', 'v')}, ${count} := - ${fieldOf('e', 'n')}))`;
  },
  array_agg: (parts, call) => {
    const filter = call.ignoreNulls ? ` FILTER (WHERE ${parts.args[0]} IS NOT NULL)` : '';
    return cut(listed(parts, call, filter), call);
  },
  string_agg: (parts, call) => {
    if (call.type.kind === 'BYTES')
      return `unhex(${aggregates.string_agg(ofDigits(parts), asText(call), () => false)})`;
    const [x, separator] = parts.args;
    if (call.limit === null && !isSortedSet(parts, call))
      return `string_agg(${distinct(call)}${ordered(parts.args, parts.sort)})${parts.over}`;
    const list = listed(parts, call, ` FILTER (WHERE ${x} IS NOT NULL)`);
    return `array_to_string(${cut(list, call)}, ${separator})`;
  },
  grouping: named('grouping'),
  row_number: named('row_number'),
  rank: named('rank'),
  dense_rank: named('dense_rank'),
  ntile: named('ntile'),
  lag: named('lag'),
  lead: named('lead'),
  first_value: named('first_value'),
  last_value: named('last_value'),
  nth_value: named('nth_value'),
  percent_rank: named('percent_rank'),
  cume_dist: named('cume_dist'),
};

type Parts = Parameters<AnyAggregatePrinter>[0];
type StringAggParts = Parameters<AggregatePrinter<'string_agg'>>[0];

function plain(name: string, parts: Parts, call: AggregateExpr): string {
  const nulls = call.ignoreNulls ? ' IGNORE NULLS' : '';
  return `${name}(${distinct(call)}${ordered(parts.args, parts.sort)}${nulls})${parts.over}`;
}

function quantile(value: string, call: AggregateExpr, at: string): string {
  return `quantile_disc(${distinct(call)}${value}, ${at})`;
}

/** DuckDB fails on numbers that are not finite. */
function spread(name: string): AggregatePrinter<'stddev_samp' | 'stddev_pop' | 'var_samp' | 'var_pop'> {
  return (parts, call, mayBeNaN) => {
    const [x] = parts.args;
    if (!mayBeNaN(call)) return plain(name, parts, call);
    const finite = `${name}(${distinct(call)}${x}) FILTER (WHERE isfinite(${x}))${parts.over}`;
    const rows = `count(${distinct(call)}${x})${parts.over}`;
    const least = name.endsWith('samp') ? 2 : 1;
    const isSpecial = `${rows} >= ${least} AND bool_or(NOT isfinite(${x}))${parts.over}`;
    return `(CASE WHEN ${isSpecial} THEN CAST('NaN' AS DOUBLE) ELSE ${finite} END)`;
  };
}

/** DuckDB fails on numbers that are not finite, and gives NaN for too few pairs. */
function ofPairs(name: string, least: number): AggregatePrinter<'corr' | 'covar_pop' | 'covar_samp'> {
  return ({ args: [x, y], over }) => {
    const pair = `${x} IS NOT NULL AND ${y} IS NOT NULL`;
    const isFinite = `isfinite(${x}) AND isfinite(${y})`;
    const few = `count(*) FILTER (WHERE ${pair})${over} < ${least}`;
    const special = `coalesce(bool_or(NOT (${isFinite})) FILTER (WHERE ${pair})${over}, FALSE)`;
    const value = `${name}(${x}, ${y}) FILTER (WHERE ${isFinite})${over}`;
    return `(CASE WHEN ${few} THEN NULL WHEN ${special} THEN CAST('NaN' AS DOUBLE) ELSE ${value} END)`;
  };
}

/** Pairs a number with a flag that sorts NaN first. */
function ranked(x: string): string {
  return `(CASE WHEN ${x} IS NOT NULL THEN struct_pack(a := NOT isnan(${x}), x := ${x}) END)`;
}

function ordered(args: Parts['args'], sort: readonly SortKey[]): string {
  return `${args.filter((arg) => arg !== undefined).join(', ')}${sort.length === 0 ? '' : ` ORDER BY ${sort.map(orderKey).join(', ')}`}`;
}

/** The values of a group as a list. */
function listed(parts: Parts | StringAggParts, call: AggregateExpr, filter: string): string {
  const [x] = parts.args;
  const list = (keys: readonly SortKey[]): string =>
    `list(${distinct(call)}${ordered([x], keys)})${filter}${parts.over}`;
  return isSortedSet(parts, call) ? sortedList(list([]), itemAt(parts.sort, 0)) : list(parts.sort);
}

/**
 * Whether the different values are sorted, by themselves: DuckDB takes ORDER BY beside DISTINCT only where it sees that
 * both are the same, which it does not for what may fail.
 */
function isSortedSet({ sort }: Pick<Parts, 'sort'>, call: AggregateExpr): boolean {
  return call.distinct && sort.length > 0;
}

/** DuckDB sorts NaN above all numbers. */
function sortedList(list: string, { direction, nulls, mayBeNaN }: SortKey): string {
  const order = `'${direction}', 'NULLS ${nulls}'`;
  if (!mayBeNaN) return `list_sort(${list}, ${order})`;
  const sorted = `list_sort(list_transform(${forLambda(list)}, lambda v: ${ranked('v')}), ${order})`;
  return `list_transform(${forLambda(sorted)}, lambda v: ${fieldOf('v', 'x')})`;
}

function distinct(call: AggregateExpr): string {
  return call.distinct ? 'DISTINCT ' : '';
}

/** DuckDB joins texts only: bytes are joined as hexadecimal digits. */
function ofDigits(parts: StringAggParts): StringAggParts {
  const [x, separator] = parts.args;
  return { ...parts, args: [`hex(${x})`, `hex(${separator})`] };
}

function asText<C extends AggregateExpr>(call: C): C {
  return { ...call, type: { kind: 'STRING' } };
}

function cut(list: string, call: AggregateExpr): string {
  return call.limit === null ? list : `list_slice(${list}, 1, ${call.limit})`;
}

function fraction(k: number, n: number): string {
  return `CAST('${k / n}' AS ${typeName({ kind: 'FLOAT64' })})`;
}
