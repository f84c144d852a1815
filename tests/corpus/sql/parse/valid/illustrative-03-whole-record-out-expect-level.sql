-- whole record out: expect [ {"level": ...} ]
select id, metadata from auth_logs order by timestamp desc limit 2
