-- Where do refused logins come from? The message of the authentication service is JSON text.
select json_value(event_message, '$.remote_addr') as address, count(*) as refused
from auth_logs
where json_value(event_message, '$.status') = '400'
group by address
order by refused desc, address
limit 10
