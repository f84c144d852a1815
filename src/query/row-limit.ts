/** Effective row limit: the lowest limit of query, data source and endpoint, and which of these sets it. */
import type { EndpointSummary } from '#contract/plugin/resources';
import type { LogEndpointsOptions, LogEndpointsQuery } from '../types';

export interface RowLimit {
  readonly rows: number;
  readonly by: 'query' | 'data source' | 'endpoint';
}

export function rowLimit(query: LogEndpointsQuery, endpoint: EndpointSummary, { logs }: LogEndpointsOptions): RowLimit {
  const ofSource = query.maxRows === undefined && query.format === 'logs' ? logs?.defaultLimit : undefined;
  const asked: RowLimit | undefined =
    query.maxRows !== undefined
      ? { rows: query.maxRows, by: 'query' }
      : ofSource === undefined
        ? undefined
        : { rows: ofSource, by: 'data source' };
  return asked && asked.rows < endpoint.max_rows ? asked : { rows: endpoint.max_rows, by: 'endpoint' };
}

/** Explains in a sentence which limit applies. */
export function explainLimit({ by }: RowLimit, endpoint: EndpointSummary): string {
  const allowed = `The endpoint allows ${endpoint.max_rows.toLocaleString('en-US')}.`;
  const whose = {
    query: `Set in this query. ${allowed}`,
    'data source': `Set in the data source, for log queries. ${allowed}`,
    endpoint: 'Set by the endpoint.',
  };
  return `${whose[by]} An access token may allow fewer. A notice says when there were more.`;
}

/** Formats a duration as `15 min`, `90 s`, `2 h`. */
export function spanText(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400} d`;
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
