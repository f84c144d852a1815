/** ClickHouse wraps around where a sum exceeds INT64: it adds in 128 bits, except where that cannot happen. */
import { FROM, sqlOf } from './printed-sql';

function isWide(query: string): boolean {
  return (sqlOf(query, 'FLOAT64')[1] ?? '').includes('toInt128');
}

const COUNTS = `counts as (select n, count(*) as all_of, countif(ms > 1) as slow, count(distinct ms) as different from ${FROM} group by n)`;

test.each([
  `with ${COUNTS} select n, sum(all_of) as a, sum(slow) as b, sum(different) as c from counts group by n`,
  `with ${COUNTS} select coalesce(sum(if(n > 5, all_of, 0)), 0) as a from counts`,
  `with ${COUNTS} select sum(case when n > 5 then slow when n > 4 then 1 end) as a from counts having sum(coalesce(slow, 0)) > 1`,
  `select sum(k) as a from (select n, count(*) as k from ${FROM} group by n order by k limit 5)`,
  `select sum(if(ms > 5, 1, 0)) as a, sum(1) as b, sum(-512) as c, sum(cast(ms > 5 as int64)) as d from ${FROM}`,
])('a sum that is within INT64 is a plain one: %s', (query) => {
  expect(isWide(query)).toBe(false);
});

test.each([
  `select sum(n) as a from ${FROM}`,
  `select sum(if(ms > 5, n, 0)) as a from ${FROM}`,
  `select sum(513) as a from ${FROM}`,
  `with ${COUNTS} select sum(all_of * 2) as a from counts`,
  `with ${COUNTS} select sum(n) as a from counts`,
  `with ${COUNTS} select sum(c.all_of) as a from counts as c cross join unnest([1, 2]) as twice`,
  `with ${COUNTS} select sum(c.all_of) as a from counts as c join counts as d on c.n = d.n`,
  `with ${COUNTS} select sum(all_of) over (order by n) as a from counts`,
  `with counts as (select n, cost, count(*) as k from ${FROM} group by rollup (n, cost)) select sum(k) as a from counts`,
  `with sums as (select n, sum(n) as k from ${FROM} group by n) select sum(k) as a from sums`,
  `with ${COUNTS}, both as (select all_of as k from counts union all select n from ${FROM}) select sum(k) as a from both`,
])('any other is one in 128 bits: %s', (query) => {
  expect(isWide(query)).toBe(true);
});
