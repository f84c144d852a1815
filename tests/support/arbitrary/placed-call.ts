/**
 * Calls of functions in every place of a query. The calls are the cases of tests/corpus/sql/functions; constants in them
 * may become columns, which no compiler can fold.
 */
import fc, { type Arbitrary } from 'fast-check';
import { tokenize } from '#compiler/sql/lexer/tokenize';
import { type FunctionCase, readFunctionCases } from '../cases/functions';

/** `$e` is the expression, `$from` its FROM clause with one row or more. */
const SCALAR_PLACES: readonly string[] = [
  'select $e as v from $from',
  'select count(*) as n from $from where ($e) is null',
  'select count(*) as n from $from where ($e) is not distinct from ($e)',
  'select $e as v, count(*) as n from $from group by 1',
  'select $e as v, count(*) as n from $from group by v having count(*) > 0',
  'select count(*) as n from $from group by $e order by n',
  'select count(*) as n from $from having countif(($e) is null) >= 0',
  'select count(*) as n from $from having max(to_json_string($e)) is not null',
  'select count($e) as n, countif(($e) is null) as m from $from',
  'select count(distinct $e) as n from $from',
  'select min($e) as a, max($e) as b from $from',
  'select array_agg($e ignore nulls order by $e) as v from $from',
  'select any_value($e) as v from $from',
  'select $e as v from $from order by $e',
  'select to_json_string($e) as v from $from order by 1 desc',
  'select distinct $e as v from $from',
  'select 1 as one from $from qualify row_number() over (order by $e) = 1',
  'select 1 as one from $from qualify count(*) over (partition by $e) > 0',
  'select count(*) over (partition by $e) as n, rank() over (order by $e) as r from $from',
  'select max($e) over () as v, first_value($e) over (order by $e) as f from $from',
  'select lag($e) over (order by $e) as v from $from',
  'select (select $e) as v from $from',
  'select (select max($e) from unnest([1, 2]) as k) as v from $from',
  'select (select count(*) from unnest([1, 2]) as k where ($e) is null) as v from $from',
  'select array(select $e from unnest([1, 2]) as k) as v from $from',
  'select exists(select 1 from unnest([1]) as k where ($e) is not null) as v from $from',
  'select ($e) in (select $e) as v from $from',
  'select ($e) in ($e, null) as v from $from',
  'select v from (select $e as v from $from) where v is not null',
  'with c as (select $e as v from $from) select count(v) as n, min(v) as a from c',
  'with c as (select $e as v from $from) select x.v from c as x join c as y on x.v = y.v',
  'select k, v from unnest([1, 2]) as k left join (select $e as v from $from) on v is null',
  'select $e as v from $from union all select $e from $from',
  'select $e as v from $from union distinct select $e from $from',
  'select $e as v from $from except distinct select null from $from',
  'select if(($e) is null, 1, 2) as a, case when ($e) is not null then $e end as b from $from',
  'select coalesce($e, $e) as a, nullif($e, $e) as b, ifnull($e, null) as c from $from',
  'select [$e] as a, struct($e as x) as b, struct($e as x).x as c from $from',
  'select to_json_string(struct($e as x)) as v from $from',
  'select $e = $e as a, $e != $e as b, $e < $e as c, $e between $e and $e as d from $from',
  'select count(*) as n from $from group by ($e) is null having ($e) is null',
  'select k.v from unnest([1]) as i cross join unnest(array(select struct($e as v) from $from)) as k',
  'select array_agg($e order by $e limit 1)[offset(0)] as v from $from',
  'select sum(if(($e) is null, 1, 0)) over (order by to_json_string($e)) as v from $from',
];

/** For calls of aggregates and windows. */
const WHOLE_PLACES: readonly string[] = [
  'select $e as v from $from',
  'select * from (select $e as v from $from) where v is not null',
  'with c as (select $e as v from $from) select to_json_string(v) as v from c',
  'select (select $e from $from limit 1) as v from unnest([1, 2]) as outside',
  'select array(select $e from $from) as v',
  'select to_json_string($e) as v from $from',
  'select if(($e) is null, 1, 2) as v from $from',
  'select $e as v from $from having ($e) is not null',
  'select $e as v from $from order by $e',
  'select count(*) as n from $from having ($e) is not null or true',
  'select 1 as k, $e as v from $from group by k',
  'select $e as v from $from union all select $e from $from',
];

const CALLS = readFunctionCases().flatMap(({ groups }) => groups.flatMap(({ cases }) => cases.filter(isPlain)));

/** Without the current time, parameters, and clauses behind FROM that the places have themselves. */
function isPlain({ expression, from, parameters }: FunctionCase): boolean {
  if (Object.keys(parameters).length > 0 || /@|\bcurrent_|\brand\b|generate_uuid/i.test(expression)) return false;
  return from === undefined || !/\b(?:where|group by|having|qualify|window|limit)\b/i.test(from);
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
    if (!isAlone || !['string', 'integer', 'float'].includes(kind)) return [];
    return [{ kind: kind === 'string' ? 'string' : 'number', start, end }];
  });
}
