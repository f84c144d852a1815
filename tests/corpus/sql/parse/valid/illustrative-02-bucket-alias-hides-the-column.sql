-- bucket alias hides the column
select timestamp_trunc(e.timestamp, minute) as timestamp, countif(rs.status_code >= 400) as bad,
from edge_logs e left join unnest(e.metadata) as md on true left join unnest(md.response) as rs on true
group by timestamp order by timestamp
