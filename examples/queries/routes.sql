-- Which routes are called, with numbers and identifiers in paths written as ":id"?
from edge_logs as e, e.metadata.request as rq, e.metadata.response as rs
|> extend array_to_string(
     array_transform(split(rq.path, '/'), part -> if(regexp_contains(part, r'^[0-9]+$|^[0-9a-f-]{8,}$'), ':id', part)), '/') as route
|> aggregate count(*) as calls, countif(rs.status_code >= 400) as failed group by route
|> where calls > 1
|> order by calls desc, route
|> limit 20
