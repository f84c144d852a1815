-- refused: field of an unopened array
select metadata.level from auth_logs
