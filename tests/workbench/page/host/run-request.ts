/** Grafana's way from a request to the data of a panel. */
import {
  CoreApp,
  dateTime,
  type DataFrame,
  type DataQuery,
  type DataQueryRequest,
  type DataQueryResponse,
  type DataSourceApi,
} from '@grafana/data';
import { from, lastValueFrom } from 'rxjs';
import { deepFreeze } from './deep-freeze';

export interface PanelAnswer {
  readonly series: readonly DataFrame[];
  readonly errors: ReadonlyArray<{ readonly message?: string; readonly cancelled?: boolean }>;
}

/** What says of a query that it is more than a place for one. */
const NO_CONTENT = new Set(['refId', 'key', 'hide', 'datasource', 'queryType']);
const RANGE_MS = 2 * 3_600_000;
const INTERVAL_MS = 60_000;

export function requestOf(query: DataQuery, more: object = {}): DataQueryRequest<DataQuery> {
  const now = Date.now();
  const range = { from: dateTime(now - RANGE_MS), to: dateTime(now) };
  return {
    app: CoreApp.Explore,
    requestId: 'explore',
    interval: '1m',
    intervalMs: INTERVAL_MS,
    maxDataPoints: 500,
    range: { ...range, raw: range },
    scopedVars: {},
    startTime: now,
    timezone: 'utc',
    targets: [query],
    ...more,
  };
}

/**
 * @param queryFunction called as it is, without the object that it was read from: Grafana 10.1 does so
 */
export async function runRequest(
  datasource: DataSourceApi,
  request: DataQueryRequest<DataQuery>,
  queryFunction?: (request: DataQueryRequest<DataQuery>) => unknown
): Promise<PanelAnswer> {
  const filled = request.targets.map((target) =>
    Object.keys(target).every((key) => NO_CONTENT.has(key))
      ? { ...datasource.getDefaultQuery?.(CoreApp.PanelEditor), ...target }
      : target
  );
  const targets = queryFunction ? filled : filled.filter((target) => datasource.filterQuery?.(target) ?? true);
  if (targets.length === 0) return { series: [], errors: [] };
  const handed = deepFreeze({ ...request, targets });
  try {
    const asked = queryFunction ? queryFunction(handed) : datasource.query(handed);
    const answers = from(asked as Promise<DataQueryResponse>);
    const answer = await lastValueFrom<DataQueryResponse, DataQueryResponse>(answers, { defaultValue: { data: [] } });
    if (!Array.isArray(answer.data)) throw new Error(`the data is ${typeof answer.data}, not a list`);
    // Older hosts know one error only.
    return { series: answer.data, errors: answer.errors ?? (answer.error ? [answer.error] : []) };
  } catch (thrown) {
    return { series: [], errors: [thrown as Error] };
  }
}
