-- Which functions became slower: calls of each day beside those of the day before?
from function_edge_logs as e, e.metadata as m
|> aggregate count(*) as calls, round(avg(m.execution_time_ms), 1) as mean_ms group by m.function_id, date(e.timestamp) as day
|> extend round(mean_ms - lag(mean_ms) over (partition by function_id order by day), 1) as more_ms
|> where more_ms > 0
|> order by more_ms desc, function_id, day
|> limit 10
