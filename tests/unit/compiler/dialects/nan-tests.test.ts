/**
 * Where a number cannot be NaN or too large, nothing is printed about it: stores look up stored numbers, and join by
 * them, only by plain comparisons.
 */
import type { PhysicalType } from '#compiler/catalog/catalog';
import { FROM, sqlOf } from './printed-sql';

function tests(query: string, ms: PhysicalType = 'FLOAT64'): boolean {
  return /isnan/i.test(sqlOf(query, ms).join('\n'));
}

test.each([
  `select ms from ${FROM} where ms > 0.5 and cost between 0 and 1.5 or ms in (1, 2.5) or ms != n order by ms desc, cost nulls last`,
  `select n, avg(ms) as a, max(cost) as b from ${FROM} group by n having avg(ms) > 100 and max(cost) >= min(ms) order by a desc nulls first`,
  `select approx_quantiles(ms, 100)[offset(95)] as p, approx_quantiles(cost, 4) as q from ${FROM}`,
  `select min(ms) over (partition by n order by cost desc nulls first) as a from ${FROM} qualify rank() over (order by ms nulls last) = 1`,
  `with t as (select ms, n / 1000 as s from ${FROM} union all select cost, 1.5 from ${FROM}) select s from t where ms > s order by s nulls last`,
  `select countif(ms > 1) * 100 / count(*) as p from ${FROM} having countif(ms > 1) / count(*) > 0.5`,
  `select a.ms from (select ms from ${FROM}) as a join (select cost from ${FROM}) as b on a.ms = b.cost where round(a.ms, 2) <= 1 and ms in (select cost from ${FROM})`,
  `select sum(ms) as s from ${FROM} having sum(ms) > 1.5 and sum(ms) / count(ms) < 3`,
  `select if(n > 1, ms, 0) as x, coalesce(ms, cost, 0) as y from ${FROM} where greatest(ms, cost) > 1 and nullif(ms, 0) < abs(cost) order by x nulls last`,
  `select v from unnest([1.5, 2]) as v where v > 1 order by v desc nulls first`,
  `select 1 as one from ${FROM} where ms * cost - cost * ms > 1`,
  `select n from ${FROM} group by n having sum(ms) - sum(cost) > 1`,
  `with t as (select ms from ${FROM} union all select pow(ms, cost) from ${FROM}) select min(ms) as x from t`,
])('no NaN test is printed where NaN cannot occur: %s', (query) => expect(tests(query)).toBe(false));

test.each([
  `select 1 as one from ${FROM} where cast(event_message as float64) > 0.5`,
  `select 1 as one from ${FROM} where ieee_divide(ms, cost) > cost`,
  `with t as (select safe_cast(event_message as float64) as x from ${FROM}) select x from t order by x desc nulls first`,
])('a NaN test is printed where NaN can occur: %s', (query) => expect(tests(query)).toBe(true));

test('a NaN test is printed for a field that was a text on some day', () => {
  const query = `select ms from ${FROM} where ms > 0.5`;
  expect(tests(query)).toBe(false);
  expect(tests(query, 'STRING')).toBe(true);
});

/** Whether the SQL tests a number for overflow. */
function testsOverflow(query: string): boolean {
  return /isfinite/i.test(sqlOf(query, 'FLOAT64').join('\n'));
}

test.each([
  `select ms / 1000 as s, n * 1.5 as x, n / 3 as y, avg(n) over () / 2 as z, cost / 100 + n as w from ${FROM}`,
  `select countif(ms > 1) * 100 / count(*) as p, avg(n) * 1.5 as a from ${FROM}`,
])('no test for overflow is printed where numbers stay in range: %s', (query) =>
  expect(testsOverflow(query)).toBe(false)
);

test.each([
  `select ms * cost as x from ${FROM}`,
  `select ms / cost as x from ${FROM}`,
  `select exp(ms) as x from ${FROM}`,
  `select sum(ms) as x from ${FROM}`,
])('a test for overflow is printed where numbers may leave the range: %s', (query) =>
  expect(testsOverflow(query)).toBe(true)
);

test('arithmetic is tested for overflow once', () => {
  const [sql] = sqlOf(`select (ms * cost + ms * n - 3) * 2 / 5 as x from ${FROM}`, 'FLOAT64');
  expect(sql?.match(/isfinite/gi)).toHaveLength(1);
});

test.each([
  `select ms, count(*) as n from ${FROM} group by ms having ms > 1`,
  `select distinct ms from ${FROM}`,
  `select count(distinct ms) as n from ${FROM}`,
  `select count(*) over (partition by ms) as n from ${FROM}`,
  `select ms from ${FROM} except distinct select cost from ${FROM}`,
  `with a as (select ms from ${FROM}), b as (select cost from ${FROM}) select ms from a join b on a.ms = b.cost`,
  `select ms in (0, 1.5) as x from ${FROM}`,
])('ClickHouse compares keys without the sign of zero: %s', (query) => {
  const [duckDb, clickHouse] = sqlOf(query, 'FLOAT64');
  expect(duckDb).not.toContain(' + 0)');
  expect(clickHouse).toContain(' + 0)');
});

test.each([
  `select n, event_message, count(*) as c, min(ms) as ms from ${FROM} where ms = 0 and cost in (1, 2.5) group by n, event_message`,
  `select distinct n, event_message from ${FROM} order by n`,
  `select ms from ${FROM} where ms = cost union all select cost from ${FROM}`,
  `with a as (select n from ${FROM}) select x.n from a as x join a as y on x.n = y.n`,
])('keys of other types and plain comparisons are printed as they are: %s', (query) => {
  for (const sql of sqlOf(query, 'FLOAT64')) expect(sql).not.toContain(' + 0)');
});
