/**
 * Calls of functions in every place of a query. The calls are the cases of tests/corpus/sql/functions; constants in
 * them may become columns, which no compiler can fold.
 */
import fc, { type Arbitrary } from 'fast-check';
import { tokenize } from '#compiler/sql/lexer/tokenize';
import { type FunctionCase, readFunctionCases } from '../../cases/sql/functions';

/**
 * `$e` is the expression, `$from` its FROM clause with one row or more. Aliases differ from the columns of the cases.
 */
const SCALAR_PLACES: readonly string[] = [
  'select $e as o_v from $from',
  'select count(*) as o_n from $from where ($e) is null',
  'select count(*) as o_n from $from where ($e) is not distinct from ($e)',
  'select $e as o_v, count(*) as o_n from $from group by 1',
  'select $e as o_v, count(*) as o_n from $from group by o_v having count(*) > 0',
  'select count(*) as o_n from $from group by $e order by o_n',
  'select count(*) as o_n from $from having countif(($e) is null) >= 0',
  'select count(*) as o_n from $from having max(to_json_string($e)) is not null',
  'select count($e) as o_n, countif(($e) is null) as o_m from $from',
  'select count(distinct $e) as o_n from $from',
  'select min($e) as o_a, max($e) as o_b from $from',
  'select array_agg($e ignore nulls order by $e) as o_v from $from',
  'select any_value($e) as o_v from $from',
  'select $e as o_v from $from order by $e',
  'select to_json_string($e) as o_v from $from order by 1 desc',
  'select distinct $e as o_v from $from',
  'select 1 as one from $from qualify row_number() over (order by $e) = 1',
  'select 1 as one from $from qualify count(*) over (partition by $e) > 0',
  'select count(*) over (partition by $e) as o_n, rank() over (order by $e) as o_r from $from',
  'select max($e) over () as o_v, first_value($e) over (order by $e) as o_f from $from',
  'select lag($e) over (order by $e) as o_v from $from',
  'select (select $e) as o_v from $from',
  'select (select max($e) from unnest([1, 2]) as o_k) as o_v from $from',
  'select (select count(*) from unnest([1, 2]) as o_k where ($e) is null) as o_v from $from',
  'select array(select $e from unnest([1, 2]) as o_k) as o_v from $from',
  'select exists(select 1 from unnest([1]) as o_k where ($e) is not null) as o_v from $from',
  'select ($e) in (select $e) as o_v from $from',
  'select ($e) in ($e, null) as o_v from $from',
  'select o_v from (select $e as o_v from $from) where o_v is not null',
  'with o_c as (select $e as o_v from $from) select count(o_v) as o_n, min(o_v) as o_a from o_c',
  'with o_c as (select $e as o_v from $from) select o_x.o_v from o_c as o_x join o_c as o_y on o_x.o_v = o_y.o_v',
  'select o_k, o_v from unnest([1, 2]) as o_k left join (select $e as o_v from $from) on o_v is null',
  'select $e as o_v from $from union all select $e from $from',
  'select $e as o_v from $from union distinct select $e from $from',
  'select $e as o_v from $from except distinct select null from $from',
  'select if(($e) is null, 1, 2) as o_a, case when ($e) is not null then $e end as o_b from $from',
  'select coalesce($e, $e) as o_a, nullif($e, $e) as o_b, ifnull($e, null) as o_c from $from',
  'select [$e] as o_a, struct($e as o_x) as o_b, struct($e as o_x).o_x as o_c from $from',
  'select to_json_string(struct($e as o_x)) as o_v from $from',
  'select $e = $e as o_a, $e != $e as o_b, $e < $e as o_c, $e between $e and $e as o_d from $from',
  'select count(*) as o_n from $from group by ($e) is null having ($e) is null',
  'select o_k.o_v from unnest([1]) as o_i cross join unnest(array(select struct($e as o_v) from $from)) as o_k',
  'select array_agg($e order by $e limit 1)[offset(0)] as o_v from $from',
  'select sum(if(($e) is null, 1, 0)) over (order by to_json_string($e)) as o_v from $from',
];

/** For calls of aggregates and windows. */
const WHOLE_PLACES: readonly string[] = [
  'select $e as o_v from $from',
  'select * from (select $e as o_v from $from) where o_v is not null',
  'with o_c as (select $e as o_v from $from) select to_json_string(o_v) as o_v from o_c',
  'select (select o_v from (select $e as o_v from $from) order by to_json_string(o_v) limit 1) as o_v from unnest([1, 2]) as outside',
  'select array(select o_v from (select $e as o_v from $from) order by to_json_string(o_v)) as o_v',
  'select to_json_string($e) as o_v from $from',
  'select if(($e) is null, 1, 2) as o_v from $from',
  'select $e as o_v from $from having ($e) is not null',
  'select $e as o_v from $from order by $e',
  'select count(*) as o_n from $from having ($e) is not null or true',
  'select 1 as o_k, $e as o_v from $from group by o_k',
  'select $e as o_v from $from union all select $e from $from',
];

const CALLS = readFunctionCases().flatMap(({ groups }) => groups.flatMap(({ cases }) => cases.filter(isPlain)));

/** Without the current time, parameters, and clauses behind FROM that the places have themselves. */
function isPlain({ expression, from, parameters }: FunctionCase): boolean {
  if (Object.keys(parameters).length > 0 || /@|\bcurrent_|\brand\b|generate_uuid/i.test(expression)) return false;
  if (!isReadable(expression)) return false;
  return from === undefined || !/\b(?:where|group by|having|qualify|window|limit)\b/i.test(from);
}

/** Without a fault of the lexer, so that constants can be found. */
function isReadable(expression: string): boolean {
  try {
    return tokenize(expression).length > 0;
  } catch {
    return false;
  }
}

const AGGREGATE =
  /\b(?:count\w*|sum|avg|min|max|\w+_agg|any_value|logical_\w+|approx_\w+|stddev\w*|var\w*|corr|covar_\w+|bit_(?:and|or|xor)|m(?:ax|in)_by|percentile_\w+|grouping)\s*\(|\bover\b/i;

export interface PlacedCall {
  readonly sql: string;
  readonly call: string;
  readonly place: string;
}

export const arbitraryPlacedCall: Arbitrary<PlacedCall> = fc.constantFrom(...CALLS).chain((call) => {
  const isWhole = AGGREGATE.test(call.expression);
  return fc
    .record({
      place: fc.constantFrom(...(isWhole ? WHOLE_PLACES : SCALAR_PLACES)),
      lifted: fc.constantFrom('none', 'all', 'texts', 'numbers'),
    })
    .map(({ place, lifted }) => {
      const { expression, from } = isWhole ? asIs(call) : lift(call, lifted);
      const sql = place.replaceAll('$e', () => expression).replaceAll('$from', () => from);
      return { sql, call: call.expression, place };
    });
});

const asIs = ({ expression, from = 'unnest([1])' }: FunctionCase) => ({ expression, from });

/** Some of the constants as columns of a further table of one row. */
function lift(call: FunctionCase, lifted: string): { readonly expression: string; readonly from: string } {
  const { expression, from } = asIs(call);
  if (lifted === 'none') return { expression, from };
  const values: string[] = [];
  let text = '';
  let end = 0;
  for (const { kind, start, end: after } of constantsOf(expression)) {
    if (lifted === (kind === 'string' ? 'numbers' : 'texts')) continue;
    text += `${expression.slice(end, start)}lifted.c${values.length}`;
    values.push(expression.slice(start, after));
    end = after;
  }
  if (values.length === 0) return { expression, from };
  const row = `unnest([struct(${values.map((value, index) => `${value} as c${index}`).join(', ')})]) as lifted`;
  return {
    expression: text + expression.slice(end),
    from: call.from === undefined ? row : `${from} cross join ${row}`,
  };
}

/** Texts and numbers that are arguments of their own. */
function constantsOf(expression: string): { readonly kind: string; readonly start: number; readonly end: number }[] {
  const tokens = tokenize(expression);
  return tokens.flatMap(({ kind, position: { offset: start, end } }, index) => {
    const isAlone =
      ['(', ','].includes(tokens[index - 1]?.symbol ?? '') && [')', ','].includes(tokens[index + 1]?.symbol ?? '');
    if (!isAlone || !['string', 'bytes', 'integer', 'float'].includes(kind)) return [];
    return [{ kind: kind === 'string' || kind === 'bytes' ? 'string' : 'number', start, end }];
  });
}
