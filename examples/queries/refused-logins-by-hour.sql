-- How many logins were refused in each hour of the last day of logs? Hours without an event are rows, too.
with refused as (
  select timestamp_trunc(timestamp, hour) as hour, count(*) as events
  from auth_logs
  where json_value(event_message, '$.status') = '400'
  group by hour
),
newest as (select timestamp_trunc(max(timestamp), hour) as until from auth_logs)
select hour, ifnull(refused.events, 0) as refused
from newest
  cross join unnest(generate_timestamp_array(timestamp_sub(until, interval 23 hour), until, interval 1 hour)) as hour
  left join refused using (hour)
order by hour
