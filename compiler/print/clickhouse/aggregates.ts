/**
 * Aggregates and window functions. Lists are sorted after aggregation, because ClickHouse's aggregates do not support
 * ORDER BY.
 */
import type { AggregateExpr, Expr, LiteralExpr } from '../../ir/expression';
import type { AggregateOps, GroupingOps, GroupOps, WindowOps } from '../../ir/operations/ops';
import { BOOL } from '../../ir/types';
import type { AggregatePrinter, AggregatePrinters, AnyAggregatePrinter, SortKey } from '../dialect/dialect';
import { topFields } from '../base/aggregates';
import { nameOnce } from './values/bind-once';
import { oneNaN, toInt } from './calls/operators';
import { castTo, failsWhen, quoteText, typeName } from './values/literals';
import { itemAt } from '../../items';

/** Applies a ClickHouse aggregate to rows, with arguments evaluated for each row. */
export type Apply = (name: string, args: readonly string[], over: string) => string;

const overGroup: Apply = (name, args, over) => `${name}(${args.join(', ')})${over}`;

/** Implements the aggregates of the dialect with those of ClickHouse. */
export function aggregatesBy(apply: Apply): AggregatePrinters<GroupOps> {
  return {
    ...counts(apply),
    ...sums(apply),
    ...extremes(apply),
    ...statistics(apply),
    ...quantiles(apply),
    ...lists(apply),
    any_value: plain(apply, 'any'),
    group_bit_and: plain(apply, 'groupBitAnd'),
    group_bit_or: plain(apply, 'groupBitOr'),
    group_bit_xor: plain(apply, 'groupBitXor'),
  };
}

type Printers = Partial<AggregatePrinters<GroupOps>>;

function plain(apply: Apply, name: string): AnyAggregatePrinter {
  return ({ args, over }, { distinct }) => apply(`${name}${distinct ? 'Distinct' : ''}`, textsOf(args), over);
}

function counts(apply: Apply) {
  return {
    count_rows: ({ over }) => `toInt64(${apply('count', [], over)})`,
    count: ({ args, over }, { distinct }) => `toInt64(${apply(distinct ? 'uniqExact' : 'count', args, over)})`,
    count_if: ({ args: [x], over }) => `toInt64(${apply('countIf', [`ifNull(${x}, FALSE)`], over)})`,
    approx_count_distinct: ({ args, over }) => `toInt64(${apply('uniq', args, over)})`,
  } satisfies Printers;
}

function sums(apply: Apply) {
  const average = plain(apply, 'avg');
  return {
    sum: ({ args: [x], over, isBounded }, call, mayBeNaN) => {
      const name = `sum${call.distinct ? 'Distinct' : ''}`;
      // Sums in 128 bits, so that an overflow of INT64 fails instead of wrapping around.
      if (call.type.kind === 'INT64' && isBounded !== true)
        return toInt(apply(name, [`toInt128(${x})`], over), call.safe);
      return oneNaN(apply(name, [x], over), mayBeNaN(call));
    },
    avg: (parts, call, mayBeNaN) => {
      const [x] = parts.args;
      if (call.args[0]?.type.kind !== 'INT64') return oneNaN(average(parts, call, mayBeNaN), mayBeNaN(call));
      // ClickHouse's avg wraps around beyond INT64.
      const sum = apply(`sum${call.distinct ? 'Distinct' : ''}`, [`toInt128(${x})`], parts.over);
      return `(toFloat64(${sum}) / ${apply(call.distinct ? 'uniqExact' : 'count', [x], parts.over)})`;
    },
  } satisfies Printers;
}

function extremes(apply: Apply) {
  // ClickHouse ignores NaN.
  const extreme = (name: string): AggregatePrinter<'min' | 'max'> => {
    const ofNumbers = plain(apply, name);
    return (parts, call, mayBeNaN) => {
      const found = ofNumbers(parts, call, mayBeNaN);
      const hasNaN = (): string => apply('max', [`isNaN(${parts.args[0]})`], parts.over);
      return mayBeNaN(call) ? `if(${hasNaN()} = 1, toFloat64('nan'), ${found})` : found;
    };
  };
  const ofCondition =
    (name: string): AggregatePrinter<'logical_and' | 'logical_or'> =>
    ({ args: [x], over }) =>
      apply(name, [castTo(x, BOOL)], over);
  const ofExtreme =
    (name: string): AggregatePrinter<'max_by' | 'min_by'> =>
    ({ args: [x, key], over }, { args: [, expr], type }, mayBeNaN) => {
      const ranked = `if(${key} IS NULL, NULL, tuple(${name === 'argMin' ? 'NOT ' : ''}isNaN(${key}), ${key}))`;
      const rank = expr !== undefined && mayBeNaN(expr) ? ranked : key;
      // Inside a tuple, NULL counts as an ordinary value.
      return castTo(`tupleElement(${apply(name, [`tuple(${x})`, rank], over)}, 1)`, type);
    };
  return {
    min: extreme('min'),
    max: extreme('max'),
    logical_and: ofCondition('min'),
    logical_or: ofCondition('max'),
    max_by: ofExtreme('argMax'),
    min_by: ofExtreme('argMin'),
  } satisfies Printers;
}

function statistics(apply: Apply) {
  // The stable variants: the plain ones lose precision when values are large compared to their differences.
  const spread =
    (name: string, least: number): AggregatePrinter<'stddev_samp' | 'stddev_pop' | 'var_samp' | 'var_pop'> =>
    ({ args: [x], over }, call, mayBeNaN) => {
      const { distinct } = call;
      const count = apply(distinct ? 'uniqExact' : 'count', [x], over);
      const value = apply(`${name}${distinct ? 'Distinct' : ''}`, [`toFloat64(${x})`], over);
      // ClickHouse returns NaN for too few rows, a number for infinite values, and no NaN for values that are too
      // large.
      const isInfinite = (): string => `${apply('max', [`NOT isFinite(${x})`], over)} = 1, toFloat64('nan'), `;
      const special = mayBeNaN(call) ? isInfinite() : '';
      return `multiIf(${count} < ${least}, NULL, ${special}${failsWhen(`NOT isFinite(${value})`, 'out_of_range')}, NULL, ${value})`;
    };
  const ofPairs =
    (name: string, least: number): AggregatePrinter<'corr' | 'covar_pop' | 'covar_samp'> =>
    ({ args: [x, y], over }) => {
      const pairs = apply('countIf', [`${x} IS NOT NULL AND ${y} IS NOT NULL`], over);
      const value = apply(name, [`toFloat64(${x})`, `toFloat64(${y})`], over);
      return `if(${pairs} < ${least}, NULL, ${value})`;
    };
  return {
    stddev_samp: spread('stddevSampStable', 2),
    var_samp: spread('varSampStable', 2),
    stddev_pop: spread('stddevPopStable', 1),
    var_pop: spread('varPopStable', 1),
    corr: ofPairs('corrStable', 2),
    covar_pop: ofPairs('covarPopStable', 1),
    covar_samp: ofPairs('covarSampStable', 2),
  } satisfies Printers;
}

function quantiles(apply: Apply) {
  return {
    approx_quantiles: (parts, call, mayBeNaN) => {
      const n = call.options.n;
      return sorted(apply, parts, call, mayBeNaN(call), (v) => {
        const places = Array.from({ length: n + 1 }, (_, k) => place(v, k / n)).join(', ');
        return castTo(`if(empty(${v}), NULL, tuple([${places}]))`, call.type);
      });
    },
    quantile: (parts, call, mayBeNaN) => {
      const fraction = call.options.k / call.options.n;
      return sorted(apply, parts, call, mayBeNaN(call), (v) => place(v, fraction));
    },
    quantile_cont: ({ args: [x], over }, call, mayBeNaN) => {
      const found = (value: string): string =>
        apply(`quantileExactInclusive(${call.options.at})`, [`toFloat64(${value})`], over);
      if (!mayBeNaN(call)) return castTo(found(x), call.type);
      // Infinities give NaN between two values, too.
      const least = found(`if(isNaN(${x}), -inf, ${x})`);
      const isBelowAll = `${apply('max', [`isNaN(${x})`], over)} = 1 AND NOT ${least} > -inf`;
      return castTo(`if(${isBelowAll}, toFloat64('nan'), ${least})`, call.type);
    },
  } satisfies Printers;
}

function lists(apply: Apply) {
  return {
    // approx_top_k is only approximate and needs megabytes per group.
    approx_top_count: ({ args: [x], over }, { type, options }) => {
      const values = apply('sumMapIf', [`[assumeNotNull(${x})]`, '[toInt64(1)]', `${x} IS NOT NULL`], over);
      const nulls = `toInt64(${apply('countIf', [`${x} IS NULL`], over)})`;
      return nameOnce(`tuple(${values}, ${nulls})`, (v) => {
        const counted = `arrayZip(tupleElement(${v}.1, 1), tupleElement(${v}.1, 2))`;
        const pair = quoteText(`Array(Tuple(${typeName(topFields(type).value.type)}, Int64))`);
        const pairs = `CAST(${counted}, ${pair}), CAST(if(${v}.2 > 0, [tuple(NULL, ${v}.2)], []), ${pair})`;
        const ordered = `arraySort(e -> (- e.2, e.1 IS NOT NULL, e.1), arrayConcat(${pairs}))`;
        return castTo(`if(empty(${ordered}), NULL, tuple(arraySlice(${ordered}, 1, ${options.n})))`, type);
      });
    },
    array_agg: (parts, call) =>
      nameOnce(gathered(apply, parts, call, call.ignoreNulls), (v) =>
        castTo(`if(empty(${v}), NULL, tuple(arrayMap(v -> v.1, ${cut(v, parts, call)})))`, call.type)
      ),
    string_agg: (parts, call) =>
      nameOnce(gathered(apply, parts, call, true), (v) => {
        const texts = `arrayMap(v -> v.1, ${cut(v, parts, call)})`;
        return `if(empty(${v}), NULL, arrayStringConcat(${texts}, ${parts.args[1]}))`;
      }),
  } satisfies Printers;
}

const whole =
  (name: string): AnyAggregatePrinter =>
  ({ over }) =>
    `toInt64(${name}()${over})`;

/** Value of a preceding or following row, of any type. */
const neighbor =
  (name: string): AggregatePrinter<'lag' | 'lead'> =>
  ({ args: [x, rows = '1', otherwise], over }, { type }) => {
    const rest = [rows, ...(otherwise === undefined ? [] : [castTo(otherwise, type)])];
    return `${name}(${castTo(x, type)}, ${rest.join(', ')})${over}`;
  };

const edge =
  (name: string): AggregatePrinter<'first_value' | 'last_value'> =>
  ({ args: [x], over }, { ignoreNulls }) =>
    `${name}(${x}) ${ignoreNulls ? 'IGNORE' : 'RESPECT'} NULLS${over}`;

const windows: AggregatePrinters<WindowOps> = {
  row_number: whole('row_number'),
  rank: whole('rank'),
  dense_rank: whole('dense_rank'),
  ntile: ({ args: [buckets], over }) => `toInt64(ntile(toUInt64(${buckets}))${over})`,
  lag: neighbor('lag'),
  lead: neighbor('lead'),
  first_value: edge('first_value'),
  last_value: edge('last_value'),
  nth_value: ({ args: [x, place], over }, { type, args, ignoreNulls }) => {
    if (!ignoreNulls) return `nth_value(${castTo(x, type)}, toUInt64(${place}))${over}`;
    const [, number] = args as readonly [Expr, LiteralExpr];
    const values = `groupArrayIf(${String(number.value)})(tuple(${castTo(x, type)}), ${x} IS NOT NULL)${over}`;
    return `arrayMap(v -> v[${String(number.value)}].1, [${values}])[1]`;
  },
  percent_rank: ({ over }) => `percent_rank()${over}`,
  cume_dist: ({ over }) => `cume_dist()${over}`,
};

const grouping: AggregatePrinters<GroupingOps> = {
  grouping: ({ args: [x] }, { args }) => `toInt64(grouping(${castTo(x, itemAt(args, 0).type)}))`,
};

export const aggregates: AggregatePrinters<AggregateOps> = { ...aggregatesBy(overGroup), ...windows, ...grouping };

function textsOf(args: readonly (string | undefined)[]): readonly string[] {
  return args.filter((arg) => arg !== undefined);
}

type Parts = Parameters<AnyAggregatePrinter>[0];

/** An array of tuples of the value and its sort keys. Tuples keep NULLs, which groupArray skips. */
function gathered(
  apply: Apply,
  { args: [x], sort, over }: Parts,
  { distinct }: AggregateExpr,
  ignoreNulls: boolean
): string {
  // A distinct list can be ordered by its values only.
  const keys = distinct ? [] : sort.map(({ sql }) => sql);
  const all = apply(`groupArray${distinct ? 'Distinct' : ''}`, [`tuple(${[x, ...keys].join(', ')})`], over);
  return ignoreNulls ? `arrayFilter(v -> v.1 IS NOT NULL, ${all})` : all;
}

/** Sorts the list and applies the limit. */
function cut(list: string, { sort }: Parts, { distinct, limit }: AggregateExpr): string {
  const ordered = distinct ? sortedBy(list, sort, () => 1) : sortedBy(list, sort, (key) => key + 2);
  return limit === null ? ordered : `arraySlice(${ordered}, 1, ${limit})`;
}

/**
 * Sorts an array of tuples by keys that are elements of them. Sorts by the last key first; each sort is made stable by
 * the position before it.
 */
export function sortedBy(
  list: string,
  keys: readonly Omit<SortKey, 'sql'>[],
  elementOf: (key: number) => number
): string {
  return keys.reduceRight((ordered, key, index) => sortedOnce(ordered, elementOf(index), key), list);
}

function sortedOnce(list: string, element: number, { direction, nulls, mayBeNaN }: Omit<SortKey, 'sql'>): string {
  const up = direction === 'ASC';
  const early = (nulls === 'FIRST') === up;
  const key = `(v.${element} IS ${early ? 'NOT ' : ''}NULL, ${mayBeNaN ? `NOT isNaN(v.${element}), ` : ''}v.${element}, ${up ? 'i' : '- i'})`;
  const name = up ? 'arraySort' : 'arrayReverseSort';
  return nameOnce(list, (v) => `${name}((v, i) -> ${key}, ${v}, arrayEnumerate(${v}))`);
}

function sorted(
  apply: Apply,
  { args, over }: Parts,
  { distinct }: AggregateExpr,
  mayBeNaN: boolean,
  body: (v: string) => string
): string {
  const rank = mayBeNaN ? 'v -> (NOT isNaN(v), v), ' : '';
  return nameOnce(`arraySort(${rank}${apply(`groupArray${distinct ? 'Distinct' : ''}`, textsOf(args), over)})`, body);
}

/** Value at a fraction of the sorted values; NULL for an empty list. */
function place(values: string, fraction: number): string {
  const index = `greatest(1, length(${values}) - toInt64(floor(length(${values}) - length(${values}) * toFloat64(${quoteText(String(fraction))}))))`;
  return `if(empty(${values}), NULL, arrayElement(${values}, ${index}))`;
}
