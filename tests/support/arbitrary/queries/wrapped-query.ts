/** Queries of tests/corpus/sql/queries as parts of other queries, for the sandbox of logs.all. */
import fc, { type Arbitrary } from 'fast-check';
import { readQueryCases } from '../../cases/sql/queries';

/** `$q` is a query in parentheses. */
const WRAPPERS: readonly string[] = [
  'select * from $q',
  'select count(*) as n from $q',
  'select to_json_string(t) as v from $q as t order by 1',
  'with c as $q select count(*) as n from c as x cross join c as y',
  'with c as $q select * from c union all select * from c',
  'with c as $q select * from c limit 2',
  'with c as (with d as $q select * from d) select count(*) as n from c',
  'select count(*) as n from ($q union all $q)',
  'with c as ($q union all $q) select count(*) as n from c',
  'select exists($q limit 1 offset 1) as v',
  'select exists $q as v',
  'select array(select as struct * from $q) is null as v',
  'select k, (select count(*) from $q) as n from unnest([1, 2]) as k order by k',
  'select k, t.* from unnest([1]) as k cross join $q as t',
  'select count(*) as n from unnest([1]) as k left join $q as t on true',
  'select array_length(array_agg(t)) as n from $q as t',
  'select distinct to_json_string(t) as v from $q as t',
  'select any_value(t) is null as v from $q as t',
  'select row_number() over () as r from $q as t order by r',
  'select if(exists $q, 1, 2) as v',
  'select * from (select * from (select * from $q))',
  'select * from $q where true',
  'from $q as t |> aggregate count(*) as n',
  'from unnest([1, 2]) as k |> where exists $q |> select k |> order by k',
];

const QUERIES = readQueryCases().flatMap(({ cases }) =>
  cases
    .filter(
      ({ sql, saved, parameters }) => saved !== true && parameters === undefined && !/@|;|--|\bcurrent_/i.test(sql)
    )
    .map(({ sql }) => sql.trim())
);

export const arbitraryWrappedQuery: Arbitrary<string> = fc
  .tuple(fc.constantFrom(...QUERIES), fc.constantFrom(...WRAPPERS))
  .map(([query, wrapper]) => wrapper.replaceAll('$q', () => `(${query})`));
