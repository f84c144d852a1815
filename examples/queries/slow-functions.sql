-- How long do functions take: half of the calls, and nineteen out of twenty?
select
  md.function_id,
  count(*) as calls,
  approx_quantiles(md.execution_time_ms, 20)[offset(10)] as p50_ms,
  approx_quantiles(md.execution_time_ms, 20)[offset(19)] as p95_ms
from function_edge_logs
  cross join unnest(metadata) as md
group by md.function_id
order by p95_ms desc
