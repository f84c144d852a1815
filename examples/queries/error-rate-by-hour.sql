-- How large a share of the calls failed, hour by hour?
select
  timestamp_trunc(e.timestamp, hour) as hour,
  count(*) as calls,
  countif(rs.status_code >= 500) as failures,
  round(100 * countif(rs.status_code >= 500) / count(*), 2) as percent,
from edge_logs as e
  cross join unnest(e.metadata) as md
  cross join unnest(md.response) as rs
group by hour
order by hour desc
limit 24
