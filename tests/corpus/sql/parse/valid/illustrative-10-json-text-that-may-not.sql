-- json text that may not be json
select json_value(event_message, '$.user.id') as uid, count(*) as n from auth_logs group by uid
