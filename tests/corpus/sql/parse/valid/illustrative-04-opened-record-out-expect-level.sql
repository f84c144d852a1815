-- opened record out: expect {"level": ...}
select id, md from auth_logs cross join unnest(metadata) as md limit 2
