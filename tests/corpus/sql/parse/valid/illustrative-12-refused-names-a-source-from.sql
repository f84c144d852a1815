-- refused: names a source from the sandbox, with a suggestion of sandbox names only
select id from `postgres.logs`
