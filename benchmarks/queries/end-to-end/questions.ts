/** The questions, as a caller asks them over HTTP and as a person would write them in SQL for the same file. */
import { quotedIdentifier } from '@duckdb/node-api';
import { PROJECT } from '../../support/settings';

export interface Candidate {
  readonly name: string;
  readonly sql: string;
  readonly values: readonly string[];
}

export interface Question {
  readonly name: string;
  /** Path and query string. */
  readonly call: string;
  /** @param parts the tables of the file, oldest day first; `now` in microseconds. */
  readonly candidates: (parts: readonly string[], nowMicros: number) => Candidate[];
  /** How rows of the two ways are compared. */
  readonly comparison: 'same' | 'later';
  /** Columns whose texts are JSON in which HTTP answers have arrays of one record where the file has the record. */
  readonly recordColumns: readonly number[];
}

const PATH = '"metadata.request.path"';
const URL_COLUMN = '"metadata.request.url"';
const STATUS = '"metadata.response.status_code"';
const TEXT = 'metadata_json';

const AREAS = ['rest', 'storage', 'auth', 'realtime'];

export const QUESTIONS: readonly Question[] = [
  usage('daily', 7 * 24 * 3600, 'day'),
  usage('minutely', 3600, 'minute'),
  {
    name: 'logs.all, 100 rows',
    call: endpoint('logs.all', { project: PROJECT }),
    candidates: newestLogs,
    comparison: 'same',
    recordColumns: [3],
  },
  {
    name: 'ad-hoc: failed calls by path',
    call: endpoint('logs.all', {
      project: PROJECT,
      sql:
        'select rq.path, count(*) as failures from edge_logs cross join unnest(metadata) as md ' +
        'cross join unnest(md.request) as rq cross join unnest(md.response) as rs ' +
        'where rs.status_code >= 500 group by rq.path order by failures desc, rq.path limit 50',
    }),
    candidates: failuresByPath,
    comparison: 'same',
    recordColumns: [],
  },
];

function endpoint(name: string, parameters: Record<string, string>): string {
  return `/api/endpoints/query/${name}?${new URLSearchParams(parameters).toString()}`;
}

function usage(interval: string, windowSeconds: number, unit: string): Question {
  return {
    name: `usage.api-counts, ${interval}`,
    call: endpoint('usage.api-counts', { interval, project: PROJECT }),
    comparison: 'later',
    recordColumns: [],
    candidates: (parts, nowMicros) => {
      const since = `make_timestamp(${nowMicros - windowSeconds * 1_000_000})`;
      const kept = parts.filter(
        (part) => Date.parse(`${part.slice(-10)}T24:00:00Z`) * 1000 > nowMicros - windowSeconds * 1e6
      );
      const bucket = `strftime(date_trunc('${unit}', "timestamp"), '%Y-%m-%dT%H:%M:%S')`;
      const counts = AREAS.map((area) => `count_if(contains(${PATH}, '/${area}'))::BIGINT`).join(', ');
      const summed = AREAS.map((area) => `sum(CASE WHEN contains(${PATH}, '/${area}') THEN n ELSE 0 END)::BIGINT`).join(
        ', '
      );
      const events = (condition: string): string =>
        union(kept, `"timestamp", ${PATH}`, `"timestamp" >= ${since} AND ${condition}`);
      const grouped = (condition: string): string =>
        `SELECT strftime(b, '%Y-%m-%dT%H:%M:%S'), ${AREAS.map((area) => area).join(', ')} FROM (
           SELECT date_trunc('${unit}', "timestamp") AS b, ${AREAS.map((area) => `count_if(contains(${PATH}, '/${area}'))::BIGINT AS ${area}`).join(', ')}
           FROM (${events(condition)}) GROUP BY b) ORDER BY b`;
      const pathsFirst = `SELECT strftime(b, '%Y-%m-%dT%H:%M:%S'), ${summed} FROM (
           SELECT date_trunc('${unit}', "timestamp") AS b, ${PATH}, count(*) AS n
           FROM (${events(`regexp_matches(${URL_COLUMN}, $1)`)}) GROUP BY b, ${PATH}) GROUP BY b ORDER BY b`;
      const perDay = `${kept
        .map(
          (part) => `SELECT ${bucket} AS b, ${counts} FROM ${quotedIdentifier(part)}
             WHERE "timestamp" >= ${since} AND regexp_matches(${URL_COLUMN}, $1) GROUP BY b`
        )
        .join(' UNION ALL ')} ORDER BY 1`;
      return [
        { name: 'one grouping', sql: grouped(`regexp_matches(${URL_COLUMN}, $1)`), values: [PROJECT] },
        {
          name: 'one grouping, literal pattern',
          sql: grouped(`regexp_matches(${URL_COLUMN}, '${PROJECT}')`),
          values: [],
        },
        { name: 'one grouping, plain text search', sql: grouped(`contains(${URL_COLUMN}, $1)`), values: [PROJECT] },
        { name: 'by path first', sql: pathsFirst, values: [PROJECT] },
        { name: 'one statement per day', sql: perDay, values: [PROJECT] },
      ];
    },
  };
}

/**
 * Only statements that are right for all data: "the newest day alone" is not, a quiet project may have fewer than 100
 * there.
 */
function newestLogs(parts: readonly string[]): Candidate[] {
  const columns = `id, epoch_us("timestamp"), event_message, ${TEXT}`;
  const all = `id, "timestamp", event_message, ${TEXT}`;
  const order = 'ORDER BY "timestamp" DESC, id DESC LIMIT 100';
  const condition = 'project = $1';
  const rowIds = parts.map(
    (part, day) => `SELECT ${day} AS day, rowid AS r, id, "timestamp" FROM ${quotedIdentifier(part)} WHERE ${condition}`
  );
  const byRowId = parts.map(
    (part, day) => `SELECT ${all} FROM ${quotedIdentifier(part)} WHERE rowid IN (SELECT r FROM top WHERE day = ${day})`
  );
  return [
    {
      name: 'straight',
      sql: `SELECT ${columns} FROM (${union(parts, all, condition)}) ${order}`,
      values: [PROJECT],
    },
    {
      name: 'row ids first',
      sql: `WITH top AS MATERIALIZED (SELECT * FROM (${rowIds.join(' UNION ALL ')}) ${order})
            SELECT ${columns} FROM (${byRowId.join(' UNION ALL ')}) ${order}`,
      values: [PROJECT],
    },
    {
      name: 'oldest time first',
      sql: `WITH top AS MATERIALIZED (SELECT "timestamp" FROM (${union(parts, 'id, "timestamp"', condition)}) ${order})
            SELECT ${columns} FROM (${union(parts, all, `${condition} AND "timestamp" >= (SELECT min("timestamp") FROM top)`)}) ${order}`,
      values: [PROJECT],
    },
    {
      name: 'each day by itself',
      sql: `SELECT ${columns} FROM (${parts
        .map((part) => `(SELECT ${all} FROM ${quotedIdentifier(part)} WHERE ${condition} ${order})`)
        .join(' UNION ALL ')}) ${order}`,
      values: [PROJECT],
    },
  ];
}

function failuresByPath(parts: readonly string[]): Candidate[] {
  const condition = `project = $1 AND ${STATUS} >= 500`;
  const order = 'ORDER BY 2 DESC, 1 LIMIT 50';
  return [
    {
      name: 'over all days',
      sql: `SELECT ${PATH}, count(*) FROM (${union(parts, PATH, condition)}) GROUP BY 1 ${order}`,
      values: [PROJECT],
    },
    {
      name: 'by day first',
      sql: `SELECT path, sum(n)::BIGINT FROM (${parts
        .map(
          (part) => `SELECT ${PATH} AS path, count(*) AS n FROM ${quotedIdentifier(part)} WHERE ${condition} GROUP BY 1`
        )
        .join(' UNION ALL ')}) GROUP BY 1 ${order}`,
      values: [PROJECT],
    },
  ];
}

function union(parts: readonly string[], columns: string, condition: string): string {
  return parts.map((part) => `SELECT ${columns} FROM ${quotedIdentifier(part)} WHERE ${condition}`).join(' UNION ALL ');
}
