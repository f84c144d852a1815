import { CoreApp } from '@grafana/data';
import type { LogEndpointsQuery } from '../types';

export const SCHEMA_VERSION = 1;

/** Macros that the backend fills in, for alert rules too. */
export const PANEL_FROM = '${__from:date:iso}';
export const PANEL_TO = '${__to:date:iso}';

/** What a new query asks: the log events of the panel's time range in Explore, usage by the hour elsewhere. */
export function defaultQuery(app: CoreApp): Partial<LogEndpointsQuery> {
  const common = { schemaVersion: SCHEMA_VERSION, mode: 'saved', format: 'auto' } as const;
  if (app === CoreApp.Explore)
    return {
      ...common,
      endpoint: { name: 'logs.all' },
      params: defaultBounds(),
    };
  return { ...common, endpoint: { name: 'usage.api-counts' }, params: { interval: 'hourly' } };
}

/** The panel's time range for the time bounds of `logs.all`. */
export function defaultBounds(): Record<string, string> {
  return { iso_timestamp_start: PANEL_FROM, iso_timestamp_end: PANEL_TO };
}
