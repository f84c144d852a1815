-- text parameter against time, empty means unbounded
select id from `postgres.logs` as t
where t.project = @project and case when coalesce(@since, '') = '' then true else t.timestamp > @since end
