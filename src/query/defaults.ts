import { CoreApp } from '@grafana/data';
import type { LogEndpointsQuery } from '../types';
import type { LastUse } from './remembered';

export const SCHEMA_VERSION = 1;

/** Macros that the backend fills in, for alert rules too. */
export const PANEL_FROM = '${__from:date:iso}';
export const PANEL_TO = '${__to:date:iso}';

const LOGS = 'logs.all';
const USAGE = 'usage.api-counts';

/** Endpoints that a new query names before anybody has chosen. */
export const DEFAULT_ENDPOINTS: readonly string[] = [LOGS, USAGE];

/**
 * What a new query asks: what was asked last, else the log events of the panel's time range in Explore and usage by the hour elsewhere.
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

/** The panel's time range for the time bounds of `logs.all`. */
export function defaultBounds(): Record<string, string> {
  return { iso_timestamp_start: PANEL_FROM, iso_timestamp_end: PANEL_TO };
}
