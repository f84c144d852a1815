-- order inside the WITH, limit outside: newest three
with newest as (select id, timestamp from storage_logs order by timestamp desc) select id from newest limit 3
