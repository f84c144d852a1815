-- Which addresses are refused again and again? A burst ends after five minutes without a refusal.
from auth_logs
|> extend parse_json(event_message) as event
|> where lax_int64(event.status) = 400
|> extend json_value(event, '$.remote_addr') as address
|> extend timestamp_diff(timestamp, lag(timestamp) over (partition by address order by timestamp), second) as pause
|> extend countif(ifnull(pause, 301) > 300) over (partition by address order by timestamp) as burst
|> aggregate count(*) as refused, min(timestamp) as first_at, max(timestamp) as last_at group by address, burst
|> where refused > 1
|> order by refused desc, address, burst
|> limit 10
