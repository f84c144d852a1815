-- Which paths fail most?
select rq.path, count(*) as failures
from edge_logs
  cross join unnest(metadata) as md
  cross join unnest(md.request) as rq
  cross join unnest(md.response) as rs
where rs.status_code >= 500
group by rq.path
order by failures desc
limit 10
