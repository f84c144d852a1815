/** A record that a condition needs anyway is not asked for: a store reads one column less. */
import { FROM, sqlOf } from './printed-sql';

const RECORD = `${FROM} cross join unnest(m.request) as r`;
const INNER = `${RECORD} cross join unnest(r.cf) as c`;

/** Presence columns that both stores read. */
function presences(query: string): readonly string[] {
  const [first = [], second] = sqlOf(query, 'FLOAT64').map((sql) =>
    ['request', 'cf'].filter((name) => sql.includes(`"${name}"`))
  );
  expect(first).toEqual(second);
  return first;
}

test.each([
  `select n from ${RECORD} where r.path = '/a'`,
  `select n from ${RECORD} where not regexp_contains(r.path, 'a+b') and n > 1`,
  `select n from ${RECORD} where r.path is not null`,
  `select n from ${RECORD} where length(lower(r.path)) > 5 or false`,
  `select n from ${RECORD} where cast(r.path as int64) between 1 and 5`,
  `select n from ${RECORD} where r.path in ('/a', '/b') limit 5`,
  `select n from ${INNER} where c.asn = 5`,
  `with a as (select timestamp, metadata from calls) select m.n from a cross join unnest(metadata) as m cross join unnest(m.request) as r where r.path like 'a%'`,
  `from calls |> cross join unnest(metadata) as m |> cross join unnest(m.request) as r |> where r.path > 'a' |> select m.n`,
])('implied: %s', (query) => {
  expect(presences(query)).toEqual([]);
});

test.each([
  [`select n, r.path from ${RECORD}`, ['request']],
  [`select n from ${RECORD} where r.path is null`, ['request']],
  [`select n from ${RECORD} where r.path = '/a' or n = 1`, ['request']],
  [`select n from ${RECORD} where coalesce(r.path, '/a') = '/a'`, ['request']],
  [`select n from ${RECORD} where n between 1 and length(r.path)`, ['request']],
  [`select n from ${RECORD} where (r.path = '/a' and n > 100) is not null`, ['request']],
  [`select n from ${RECORD} where (r.path = '/a') is true is not null`, ['request']],
  [`select n from ${INNER}`, ['cf']],
  [`select n from ${INNER} where r.path = '/a'`, ['cf']],
  [
    `with a as (select timestamp, metadata from calls) select 1 as one from a as x cross join unnest(x.metadata) as m cross join unnest(m.request) as r join a as y on x.timestamp = y.timestamp cross join unnest(y.metadata) as k left join unnest(k.request) as s where s.path = '/a'`,
    ['request'],
  ],
])('not implied: %s', (query, expected) => {
  expect(presences(query)).toEqual(expected);
});
