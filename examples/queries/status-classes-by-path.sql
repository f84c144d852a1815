-- How do calls of each path end? One column for each class of status.
from edge_logs as e, e.metadata.request as rq, e.metadata.response as rs
|> select rq.path, concat(div(rs.status_code, 100), 'xx') as class
|> pivot (count(*) for class in ('2xx' as ok, '3xx' as redirected, '4xx' as refused, '5xx' as failed))
|> order by failed desc, refused desc, path
|> limit 20
