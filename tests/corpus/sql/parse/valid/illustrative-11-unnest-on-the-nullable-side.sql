-- unnest on the nullable side: auth rows without a match must stay
select a.id, er.status_code from auth_logs a left join
  (edge_logs e cross join unnest(metadata) as em cross join unnest(em.response) as er) on a.id = e.id
