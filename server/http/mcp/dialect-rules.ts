/** What an agent must know of the dialect before it writes a query. docs/sql.md is the reference. */
export const DIALECT_RULES = `Rules of the SQL dialect (GoogleSQL):
- One SELECT (or a pipe query: FROM t |> WHERE .. |> AGGREGATE ..). WITH, joins, subqueries, windows and set operations work.
- Read only the tables listed here, by their names.
- timestamp is TIMESTAMP in UTC. Compare it with TIMESTAMP '2026-03-01T08:00:00Z' or with
  TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR). Always limit the time: parameters of the saved query do it, too.
- metadata is an array of records, and so is each record inside. Open each with UNNEST:
    FROM edge_logs
      CROSS JOIN UNNEST(metadata) AS m
      CROSS JOIN UNNEST(m.request) AS rq
      CROSS JOIN UNNEST(m.response) AS rs
    WHERE rs.status_code >= 500
  CROSS JOIN drops rows without the record, LEFT JOIN UNNEST keeps them.
- After that the field is rq.path, not metadata.request.path. m.request[SAFE_OFFSET(0)].path works without a join.
- Count by time: TIMESTAMP_TRUNC(timestamp, HOUR) AS hour, COUNT(*) .. GROUP BY hour ORDER BY hour.
- Conditional counts: COUNTIF(rs.status_code >= 500). Shares: SAFE_DIVIDE(a, b). Percentiles:
  APPROX_QUANTILES(x, 100)[OFFSET(95)].
- Text search: REGEXP_CONTAINS(event_message, r'time.?out'), CONTAINS_SUBSTR(event_message, 'timeout') for any case,
  event_message LIKE '%timeout%'. Patterns are RE2.
- Newest row of each group: QUALIFY ROW_NUMBER() OVER (PARTITION BY path ORDER BY timestamp DESC) = 1.
- 'a' and "a" are texts; a name with special characters is in backticks.
- NULL never equals NULL: use IS NULL, or x IS NOT DISTINCT FROM y.
- No SELECT without columns, no DDL, no DML, no SCRIPT, no system tables.
- Aggregate first, and put ORDER BY with LIMIT at the end: answers hold 100 rows unless max_rows says more.
LQL instead of SQL filters one table on one line:
  f:edge_logs m.response.status_code:>=500 m.request.path:~"^/rest" t:last@1h
  f:postgres_logs m.parsed.error_severity:ERROR "deadlock"`;
