import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { CoreApp, type QueryEditorProps } from '@grafana/data';
import type { EndpointSummary } from '#contract/plugin/resources';
import { findEndpoint } from '../../api/find-endpoint';
import type { EditorDataSource } from '../editor-data-source';
import { DEFAULT_ENDPOINTS, PANEL_FROM, PANEL_TO } from '../../query/defaults';
import { migrateQuery } from '../../query/migrate';
import { isTime } from '../../query/parameter-problem';
import { lastUse, type Place, rememberUse } from '../../query/remembered';
import type { LogEndpointsOptions, LogEndpointsQuery } from '../../types';

export type Props = QueryEditorProps<EditorDataSource, LogEndpointsQuery, LogEndpointsOptions>;

export interface QueryChanges {
  /** The query with every change, also with those that are not rendered yet. */
  readonly latest: () => LogEndpointsQuery;
  readonly change: (changed: Partial<LogEndpointsQuery>) => void;
  /** Runs a query that is ready; an incomplete one is kept but not run. */
  readonly commit: (changed: Partial<LogEndpointsQuery>) => void;
  readonly run: () => void;
}

export function useQueryChanges(props: Props, known: readonly EndpointSummary[] | undefined): QueryChanges {
  const { datasource, query: stored, onChange, onRunQuery, app } = props;
  const [lastRun, setLastRun] = useState(() => migrateQuery(stored));
  // Two fields may change before the first change is rendered.
  const latest = useRef(migrateQuery(stored));
  useLayoutEffect(() => {
    latest.current = migrateQuery(stored);
  }, [stored]);
  const change = (changed: Partial<LogEndpointsQuery>) => {
    latest.current = { ...latest.current, ...changed };
    onChange(latest.current);
  };
  const run = () => {
    setLastRun(latest.current);
    rememberUse(datasource.uid, placeOf(app), latest.current);
    onRunQuery();
  };
  const commit = (changed: Partial<LogEndpointsQuery>) => {
    const next = { ...latest.current, ...changed };
    if (!isSame(next, latest.current)) change(changed);
    const asked = known && findEndpoint(known, datasource.withEndpoint(next));
    if (datasource.whyNotRunnable(next, asked) === undefined && !isSame(next, lastRun)) run();
  };
  return { latest: () => latest.current, change, commit, run };
}

/**
 * If the service lacks the default endpoint, a new query starts with the last used one, or the only one that exists.
 */
export function useFirstEndpoint(
  { datasource, app }: Props,
  endpoints: readonly EndpointSummary[] | undefined,
  { latest, change }: QueryChanges
): void {
  useEffect(() => {
    const query = latest();
    if (!endpoints || !isUntouched(query) || findEndpoint(endpoints, query)) return;
    const last = lastUse(datasource.uid, placeOf(app));
    const picked = (last && findEndpoint(endpoints, last)) ?? (endpoints.length === 1 ? endpoints[0] : undefined);
    if (picked) change(queryOf(picked, { ...query, params: { ...last?.params, ...query.params } }));
    // Once for each list of endpoints.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [endpoints]);
}

/** Keeps the values of parameters that both endpoints have; time bounds default to the panel's. */
export function queryOf(picked: EndpointSummary, { params = {}, mode }: LogEndpointsQuery): Partial<LogEndpointsQuery> {
  const values = picked.parameters.map((parameter) => {
    const bound = /end|until|before|to$/i.test(parameter.name) ? PANEL_TO : PANEL_FROM;
    return [parameter.name, params[parameter.name] ?? (isTime(parameter) ? bound : '')] as const;
  });
  return {
    endpoint: { id: picked.id, name: picked.name },
    params: Object.fromEntries(values.filter(([, value]) => value !== '')),
    mode: picked.sandbox ? mode : 'saved',
  };
}

/** Whether the query is new: no text, and no endpoint chosen by a user. */
function isUntouched({ endpoint = {}, mode = 'saved', sql, lql }: LogEndpointsQuery): boolean {
  const isDefault = endpoint.name === undefined || DEFAULT_ENDPOINTS.includes(endpoint.name);
  return endpoint.id === undefined && isDefault && mode === 'saved' && !sql && !lql;
}

function placeOf(app: string | undefined): Place {
  return app === CoreApp.Explore ? 'explore' : 'panel';
}

function isSame(a: LogEndpointsQuery, b: LogEndpointsQuery): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
