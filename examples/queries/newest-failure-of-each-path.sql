-- When did each path fail last, how, and how often before?
select
  rq.path,
  max(e.timestamp) as last_at,
  string_agg(cast(rs.status_code as string) having max e.timestamp) as status,
  count(*) - 1 as before
from edge_logs as e, e.metadata.request as rq, e.metadata.response as rs
where rs.status_code >= 500
group by rq.path
order by last_at desc, path
limit 20
