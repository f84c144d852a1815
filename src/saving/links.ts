/** Pages of Grafana about the data source. */
import { urlUtil } from '@grafana/data';
import { config } from '@grafana/runtime';
import { PLUGIN_ID } from '#contract/plugin/plugin';
import type { EndpointSummary } from '#contract/plugin/resources';
import { SCHEMA_VERSION } from '../query/defaults';

export const SAVED_QUERIES_PAGE = 'saved-queries';

export function savedQueriesUrl(uid: string): string {
  return `${config.appSubUrl ?? ''}/connections/datasources/edit/${uid}?page=${SAVED_QUERIES_PAGE}`;
}

/** Explore with a call of the saved query. */
export function exploreUrl(uid: string, { id, name }: Pick<EndpointSummary, 'id' | 'name'>): string {
  const datasource = { type: PLUGIN_ID, uid };
  const query = { refId: 'A', datasource, schemaVersion: SCHEMA_VERSION, endpoint: { id, name }, mode: 'saved' };
  const pane = { datasource: uid, queries: [query], range: { from: 'now-1h', to: 'now' } };
  return urlUtil.renderUrl(`${config.appSubUrl ?? ''}/explore`, {
    schemaVersion: 1,
    panes: JSON.stringify({ saved: pane }),
  });
}

/** The uid in the address of the settings page; undefined elsewhere. */
export function uidOfSettings(pathname: string): string | undefined {
  const segment = /\/datasources\/edit\/([^/?]+)/.exec(pathname)?.[1];
  return segment === undefined ? undefined : decodeURIComponent(segment);
}
