import type { LogEndpointsQuery } from '../types';

const CHART = /(?:^|\s)-?(?:c|chart):/;
const TIME = /(?:^|\s)-?(?:t|timestamp):|\$__timeFilter/;

/**
 * Counts over the range of what an LQL text filters; undefined where there is nothing to count: a chart already counts, and the tables
 * of SQL and of saved queries are not ours to guess.
 */
export function logVolumeQuery(query: LogEndpointsQuery): LogEndpointsQuery | undefined {
  if (query.hide || query.mode !== 'lql' || !query.lql?.trim() || CHART.test(query.lql)) return undefined;
  const { maxRows: _rows, ...rest } = query;
  const filters = query.lql.replace(/(?:^|\s)(?:s|select):\S+/g, ' ').trim();
  const bounded = TIME.test(filters) ? filters : `${filters} $__timeFilter`;
  return {
    ...rest,
    refId: `log-volume-${query.refId}`,
    lql: `${bounded} c:count(*) c:group_by($__timeGroup)`,
    format: 'time_series',
  };
}
