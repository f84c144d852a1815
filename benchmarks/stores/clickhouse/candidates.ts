/** The questions of the end-to-end benchmark as a person would write them in ClickHouse's SQL for the same tables. */
import { PROJECT } from '../../support/settings';

export interface ClickHouseCandidate {
  readonly name: string;
  readonly sql: string;
}

const PATH = '`metadata.request.path`';
const URL_COLUMN = '`metadata.request.url`';
const STATUS = '`metadata.response.status_code`';
const AREAS = ['rest', 'storage', 'auth', 'realtime'];

/** By the name of the question. */
export function candidatesOf(question: string, nowMicros: number): readonly ClickHouseCandidate[] {
  switch (question) {
    case 'usage.api-counts, daily':
      return usage(nowMicros - 7 * 24 * 3600 * 1_000_000, 'toStartOfDay');
    case 'usage.api-counts, minutely':
      return usage(nowMicros - 3600 * 1_000_000, 'toStartOfMinute');
    case 'logs.all, 100 rows':
      return newestLogs();
    default:
      return failuresByPath();
  }
}

function usage(sinceMicros: number, bucket: string): readonly ClickHouseCandidate[] {
  const since = `timestamp >= fromUnixTimestamp64Micro(${sinceMicros}, 'UTC')`;
  const shown = "formatDateTime(b, '%Y-%m-%dT%H:%i:%S')";
  const counts = AREAS.map((area) => `countIf(position(${PATH}, '/${area}') > 0)`).join(', ');
  const sums = AREAS.map((area) => `sumIf(n, position(path, '/${area}') > 0)`).join(', ');
  const grouped = (condition: string): string =>
    `SELECT ${shown}, ${counts} FROM edge_requests WHERE ${since} AND ${condition} GROUP BY ${bucket}(timestamp) AS b ORDER BY b`;
  const pathsFirst = (condition: string): string =>
    `SELECT ${shown}, ${sums} FROM (SELECT ${bucket}(timestamp) AS b, ${PATH} AS path, count() AS n FROM edge_requests
     WHERE ${since} AND ${condition} GROUP BY b, path) GROUP BY b ORDER BY b`;
  const pattern = `match(${URL_COLUMN}, '${PROJECT}')`;
  return [
    { name: 'one grouping', sql: grouped(pattern) },
    { name: 'by path first', sql: pathsFirst(pattern) },
    { name: 'one grouping, plain text search', sql: grouped(`position(${URL_COLUMN}, '${PROJECT}') > 0`) },
  ];
}

function newestLogs(): readonly ClickHouseCandidate[] {
  const columns = 'id, toUnixTimestamp64Micro(timestamp), event_message, metadata_json';
  const order = 'ORDER BY timestamp DESC, id DESC LIMIT 100';
  const own = `FROM edge_requests WHERE project = '${PROJECT}'`;
  return [
    { name: 'straight', sql: `SELECT ${columns} ${own} ${order}` },
    {
      name: 'oldest time first',
      sql: `WITH (SELECT min(timestamp) FROM (SELECT timestamp ${own} ${order})) AS oldest
            SELECT ${columns} ${own} AND timestamp >= oldest ${order}`,
    },
  ];
}

function failuresByPath(): readonly ClickHouseCandidate[] {
  return [
    {
      name: 'straight',
      sql: `SELECT ${PATH} AS path, count() AS failures FROM edge_requests WHERE project = '${PROJECT}' AND ${STATUS} >= 500
            GROUP BY path ORDER BY failures DESC, path LIMIT 50`,
    },
  ];
}
