-- set operation: at most two rows in all
(select id from edge_logs limit 2) union all (select id from auth_logs limit 2) order by id limit 2
