-- NOT and parentheses
select id from auth_logs cross join unnest(metadata) as md where not (md.level) = 'info'
