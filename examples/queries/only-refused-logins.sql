-- Which addresses were refused, and never logged in?
with logins as (
  select json_value(event_message, '$.remote_addr') as address, json_value(event_message, '$.status') as status
  from auth_logs
)
select address from logins where status = '400'
except distinct
select address from logins where status = '200'
order by address
