/** Aggregates and window functions. Lists are sorted after they are gathered: ClickHouse's aggregates take no ORDER BY. */
import type { AggregateExpr } from '../../ir/expression';
import type { Type } from '../../ir/types';
import type { AggregateParts, AggregatePrinter, SortKey } from '../dialect';
import { nameOnce } from './bind-once';
import { toInt } from './calls/operators';
import { castTo, quoteText } from './literals';

const plain =
  (name: string): AggregatePrinter =>
  ({ args, over }, { distinct, ignoreNulls }) =>
    `${name}${distinct ? 'Distinct' : ''}(${args.join(', ')})${ignoreNulls ? ' IGNORE NULLS' : ''}${over}`;

const whole =
  (name: string): AggregatePrinter =>
  (parts, call) =>
    `toInt64(${plain(name)(parts, call)})`;

/** Over the rows before and after a row, of any type. */
const neighbour =
  (name: string): AggregatePrinter =>
  ({ args: [x, rows, otherwise], over }, { type }) => {
    const rest = [rows === undefined ? '1' : rows, ...(otherwise === undefined ? [] : [castTo(otherwise, type)])];
    return `${name}(${castTo(String(x), type)}, ${rest.join(', ')})${over}`;
  };

const spread =
  (name: string): AggregatePrinter =>
  ({ args: [x], over }, { distinct }) => {
    const suffix = distinct ? 'Distinct' : '';
    // ClickHouse gives NaN for one row.
    return `if(${distinct ? 'uniqExact' : 'count'}(${x})${over} < 2, NULL, ${name}${suffix}(toFloat64(${x}))${over})`;
  };

const table: Readonly<Record<string, AggregatePrinter>> = {
  count_rows: ({ over }) => `toInt64(count()${over})`,
  count: ({ args: [x], over }, { distinct }) => `toInt64(${distinct ? 'uniqExact' : 'count'}(${x})${over})`,
  count_if: ({ args: [x], over }) => `toInt64(countIf(ifNull(${x}, FALSE))${over})`,
  sum: ({ args: [x], over }, { distinct, type }) => {
    const name = `sum${distinct ? 'Distinct' : ''}`;
    // In 128 bits, so that a sum beyond INT64 fails instead of starting over.
    return type.kind === 'INT64' ? toInt(`${name}(toInt128(${x}))${over}`) : `${name}(${x})${over}`;
  },
  avg: plain('avg'),
  min: plain('min'),
  max: plain('max'),
  any_value: plain('any'),
  logical_and: ({ args: [x], over }) => `min(${castTo(String(x), { kind: 'BOOL' })})${over}`,
  logical_or: ({ args: [x], over }) => `max(${castTo(String(x), { kind: 'BOOL' })})${over}`,
  stddev_samp: spread('stddevSamp'),
  var_samp: spread('varSamp'),
  approx_count_distinct: ({ args: [x], over }) => `toInt64(uniq(${x})${over})`,
  approx_quantiles: (parts, call) => {
    const n = Number(call.options?.['n']);
    return sorted(parts, call, (v) => {
      const places = Array.from({ length: n + 1 }, (_, k) => place(v, k / n)).join(', ');
      const element = (call.type as Extract<Type, { kind: 'ARRAY' }>).element;
      return castTo(`if(empty(${v}), NULL, tuple([${places}]))`, { kind: 'ARRAY', element });
    });
  },
  quantile: (parts, call) =>
    sorted(parts, call, (v) => place(v, Number(call.options?.['k']) / Number(call.options?.['n']))),
  array_agg: (parts, call) =>
    nameOnce(gathered(parts, call, call.ignoreNulls), (v) => {
      return castTo(`if(empty(${v}), NULL, tuple(arrayMap(v -> v.1, ${cut(v, parts, call)})))`, call.type);
    }),
  string_agg: (parts, call) =>
    nameOnce(gathered(parts, call, true), (v) => {
      const texts = `arrayMap(v -> v.1, ${cut(v, parts, call)})`;
      return `if(empty(${v}), NULL, arrayStringConcat(${texts}, ${parts.args[1]}))`;
    }),
  row_number: whole('row_number'),
  rank: whole('rank'),
  dense_rank: whole('dense_rank'),
  ntile: ({ args: [buckets], over }) => `toInt64(ntile(toUInt64(${buckets}))${over})`,
  lag: neighbour('lag'),
  lead: neighbour('lead'),
  first_value: plain('first_value'),
  last_value: plain('last_value'),
};

export const aggregates: ReadonlyMap<string, AggregatePrinter> = new Map(Object.entries(table));

/** An array of tuples: the value, then its sort keys. groupArray alone would leave NULLs out. */
function gathered(
  { args: [x], sort, over }: AggregateParts,
  { distinct }: AggregateExpr,
  ignoreNulls: boolean
): string {
  // A distinct list is ordered by its values only.
  const keys = distinct ? [] : sort.map(({ sql }) => sql);
  const all = `groupArray${distinct ? 'Distinct' : ''}(tuple(${[x, ...keys].join(', ')}))${over}`;
  return ignoreNulls ? `arrayFilter(v -> v.1 IS NOT NULL, ${all})` : all;
}

/** In order, and no more than the limit. */
function cut(list: string, { sort }: AggregateParts, { distinct, limit }: AggregateExpr): string {
  const ordered = distinct ? sortedBy(list, sort, () => 1) : sortedBy(list, sort, (key) => key + 2);
  return limit === null ? ordered : `arraySlice(${ordered}, 1, ${limit})`;
}

/** An array of tuples by its keys, which are elements of them. From the last key to the first: the place before each sort decides among equals. */
export function sortedBy(
  list: string,
  keys: readonly Pick<SortKey, 'direction' | 'nulls'>[],
  elementOf: (key: number) => number
): string {
  return keys.reduceRight((ordered, key, index) => sortedOnce(ordered, elementOf(index), key), list);
}

function sortedOnce(list: string, element: number, { direction, nulls }: Pick<SortKey, 'direction' | 'nulls'>): string {
  const up = direction === 'ASC';
  const early = (nulls === 'FIRST') === up;
  const key = `(v.${element} IS ${early ? 'NOT ' : ''}NULL, v.${element}, ${up ? 'i' : '- i'})`;
  const name = up ? 'arraySort' : 'arrayReverseSort';
  return nameOnce(list, (v) => `${name}((v, i) -> ${key}, ${v}, arrayEnumerate(${v}))`);
}

function sorted({ args: [x], over }: AggregateParts, { distinct }: AggregateExpr, body: (v: string) => string): string {
  return nameOnce(`arraySort(groupArray${distinct ? 'Distinct' : ''}(${x})${over})`, body);
}

/** The value below which a fraction of the sorted values lies; NULL of none. */
function place(values: string, fraction: number): string {
  const index = `greatest(1, length(${values}) - toInt64(floor(length(${values}) - length(${values}) * toFloat64(${quoteText(String(fraction))}))))`;
  return `if(empty(${values}), NULL, arrayElement(${values}, ${index}))`;
}
