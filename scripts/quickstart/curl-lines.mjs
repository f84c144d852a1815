/**
 * The calls that the quickstart prints. Every value is quoted for a POSIX shell, so that each line works when pasted.
 */

const PROJECT = 'acornharvestplatform';

const BUSIEST_FAILURES =
  'select rq.path, count(*) as failures from edge_logs cross join unnest(metadata) as md ' +
  'cross join unnest(md.request) as rq cross join unnest(md.response) as rs ' +
  'where rs.status_code >= 500 group by rq.path order by failures desc limit 5';

/**
 * @param {{ url: string, token: string, logsAllId: string }} options
 * @returns {{ title: string, line: string }[]}
 */
export function curlLines({ url, token, logsAllId }) {
  const curl = `curl -sS -H ${quoted(`X-API-KEY: ${token}`)}`;
  /** @type {(nameOrId: string, query: string) => string} */
  const endpoint = (nameOrId, query) => quoted(`${url}/api/endpoints/query/${nameOrId}${query}`);
  return [
    {
      title: 'Requests by hour and API area',
      line: `${curl} ${endpoint('usage.api-counts', `?interval=hourly&project=${PROJECT}`)}`,
    },
    {
      title: 'The newest logs, with the saved query called by its id',
      line: `${curl} ${endpoint(logsAllId, `?project=${PROJECT}`)}`,
    },
    {
      title: 'A query of your own: the paths that fail most',
      line:
        `${curl} -G ${endpoint('logs.all', '')} --data-urlencode ${quoted(`project=${PROJECT}`)} ` +
        `--data-urlencode ${quoted(`sql=${BUSIEST_FAILURES}`)}`,
    },
  ];
}

/** @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
