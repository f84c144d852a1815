import { CoreApp } from '@grafana/data';
import type { LogEndpointsQuery } from '../types';
import type { LastUse } from './remembered';

export const SCHEMA_VERSION = 1;

/** Macros that the backend resolves, also in alert rules. */
export const PANEL_FROM = '${__from:date:iso}';
export const PANEL_TO = '${__to:date:iso}';

const LOGS = 'logs.all';
const USAGE = 'usage.api-counts';

/** Endpoints that a new query selects by default. */
export const DEFAULT_ENDPOINTS: readonly string[] = [LOGS, USAGE];

/**
 * Initial query: the last one used, else log events of the panel's time range in Explore and hourly usage elsewhere.
 */
export function defaultQuery(app: CoreApp, last?: LastUse): Partial<LogEndpointsQuery> {
  const common = { schemaVersion: SCHEMA_VERSION, mode: 'saved', format: 'auto' } as const;
  if (last) return { ...common, endpoint: last.endpoint, params: { ...last.params } };
  if (app === CoreApp.Explore)
    return {
      ...common,
      endpoint: { name: LOGS },
      params: defaultBounds(),
    };
  return { ...common, endpoint: { name: USAGE }, params: { interval: 'hourly' } };
}

/** Default bounds of `logs.all`: the panel's time range. */
export function defaultBounds(): Record<string, string> {
  return { iso_timestamp_start: PANEL_FROM, iso_timestamp_end: PANEL_TO };
}
