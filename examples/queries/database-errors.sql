-- What does the database complain about, and which statement was it?
select p.sql_state_code, p.error_severity, any_value(e.event_message) as example, count(*) as times
from postgres_logs as e
  cross join unnest(e.metadata) as md
  cross join unnest(md.parsed) as p
where p.error_severity in ('ERROR', 'FATAL')
group by p.sql_state_code, p.error_severity
order by times desc
