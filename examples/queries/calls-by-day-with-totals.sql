-- How many calls were made each day with each method? Rows without a method are totals of a day, the last row of all days.
select date(e.timestamp) as day, rq.method, count(*) as calls
from edge_logs as e, e.metadata.request as rq
group by rollup (day, method)
order by day nulls last, method nulls last
