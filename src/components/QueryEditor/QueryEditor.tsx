import React, { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { css } from '@emotion/css';
import { CoreApp, type GrafanaTheme2, type QueryEditorProps } from '@grafana/data';
import { Button, InlineField, RadioButtonGroup, useStyles2 } from '@grafana/ui';
import type { QueryMode } from '#contract/plugin/query';
import type { EndpointResource, EndpointSummary } from '#contract/plugin/resources';
import type { Parameter } from '#contract/saved-query';
import { endpointKey, findEndpoint } from '../../api/find-endpoint';
import type { LogEndpointsDataSource } from '../../datasource';
import { useAnswer } from '../../hooks/use-answer';
import { newestRows } from '../../builder/defaults';
import { DEFAULT_ENDPOINTS, PANEL_FROM, PANEL_TO } from '../../query/defaults';
import { migrateQuery } from '../../query/migrate';
import { isTime } from '../../query/parameter-problem';
import { lastUse, lastValues, rememberUse } from '../../query/remembered';
import type { LogEndpointsOptions, LogEndpointsQuery } from '../../types';
import { FlexRow } from '../compat/Flex';
import { BuilderField, printText } from '../QueryBuilder/BuilderField';
import { SaveQueryButton } from '../SaveQuery/SaveQueryButton';
import { AdhocField } from './AdhocField';
import { AlertHints } from './AlertHints';
import { EndpointField, LABEL_WIDTH } from './EndpointField';
import { FilterChips } from './FilterChips';
import { OptionsRow } from './OptionsRow';
import { ParameterFields } from './ParameterFields';
import { useCheck } from './use-check';

const MODES: Array<{ value: QueryMode; label: string; description: string }> = [
  { value: 'saved', label: 'Saved', description: 'The query of the endpoint' },
  { value: 'sql', label: 'SQL', description: 'A query of your own, in the sandbox of the endpoint' },
  { value: 'lql', label: 'LQL', description: 'Filters and counts in one line' },
];

const EDITORS: Array<{ value: 'builder' | 'code'; label: string }> = [
  { value: 'builder', label: 'Builder' },
  { value: 'code', label: 'Code' },
];

export type Props = QueryEditorProps<LogEndpointsDataSource, LogEndpointsQuery, LogEndpointsOptions>;

export function QueryEditor({ datasource, query: stored, onChange, onRunQuery, app, range, data }: Props) {
  const styles = useStyles2(getStyles);
  const query = migrateQuery(stored);
  const { mode = 'saved', params = {} } = query;
  const [lastRun, setLastRun] = useState(query);
  const [attempt, setAttempt] = useState(0);
  const list = useAnswer(() => datasource.catalog.endpoints(), `${datasource.uid} ${attempt}`);
  // If the service is unreachable, the form shows the last known endpoints, or the stored query.
  const known = list.value ?? (datasource.catalog.known.length > 0 ? datasource.catalog.known : undefined);
  const endpoint = known && findEndpoint(known, query);
  const parameters = endpoint?.parameters ?? (list.failure ? storedParameters(params) : []);
  const place = app === CoreApp.Explore ? 'explore' : 'panel';
  const isAdhoc = mode !== 'saved';
  const text = (mode === 'sql' ? query.sql : mode === 'lql' ? query.lql : undefined) ?? '';
  const isBuilder = (query.editorMode ?? (text.trim() === '' ? 'builder' : 'code')) === 'builder';
  const detail = useAnswer(
    endpoint && isAdhoc ? () => datasource.catalog.endpoint(endpoint.id) : undefined,
    endpoint?.id ?? ''
  );
  const functions = useAnswer(mode === 'sql' ? () => datasource.catalog.functions() : undefined, datasource.uid);
  const check = useCheck(datasource, query, range, data?.request?.intervalMs);

  // Two fields may change before the first change is rendered.
  const latest = useRef(query);
  useLayoutEffect(() => {
    latest.current = migrateQuery(stored);
  }, [stored]);
  const change = (changed: Partial<LogEndpointsQuery>) => {
    latest.current = { ...latest.current, ...changed };
    onChange(latest.current);
  };
  const withParam = (name: string, value: string) => ({ params: { ...latest.current.params, [name]: value } });
  /** Runs a query that is ready; an incomplete one is kept but not run. */
  const commit = (changed: Partial<LogEndpointsQuery>) => {
    const next = { ...latest.current, ...changed };
    if (!isSame(next, latest.current)) change(changed);
    const asked = known && findEndpoint(known, next);
    if (datasource.whyNotRunnable(next, asked) === undefined && !isSame(next, lastRun)) run();
  };
  const run = () => {
    setLastRun(latest.current);
    rememberUse(datasource.uid, place, latest.current);
    onRunQuery();
  };
  // If the service lacks the default endpoint, a new query starts with the last used one, or the only one that exists.
  useEffect(() => {
    if (!list.value || !isUntouched(latest.current) || findEndpoint(list.value, latest.current)) return;
    const last = lastUse(datasource.uid, place);
    const picked = (last && findEndpoint(list.value, last)) ?? (list.value.length === 1 ? list.value[0] : undefined);
    if (picked) change(queryOf(picked, { ...latest.current, params: { ...last?.params, ...latest.current.params } }));
    // Once for each list of endpoints.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [list.value]);
  const detailNow = () => datasource.catalog.knownDetail(endpoint?.id ?? '');
  const reason = endpointKey(query) && list.isLoading ? undefined : datasource.whyNotRunnable(query, endpoint);
  const isAlert = app === CoreApp.CloudAlerting || app === CoreApp.UnifiedAlerting;
  const { defaultProject } = datasource.options;
  return (
    <div>
      {isAlert && <AlertHints query={query} />}
      <EndpointField
        query={query}
        endpoints={known}
        failure={list.failure}
        isLoading={list.isLoading}
        options={datasource.options}
        onPick={(picked) => commit(queryOf(picked, latest.current))}
        onRetry={() => setAttempt(attempt + 1)}
      />
      <ParameterFields
        refId={query.refId}
        endpoint={endpoint?.id ?? ''}
        parameters={parameters}
        values={params}
        defaultProject={defaultProject}
        choicesOf={(name) => [...datasource.variableNames(), ...lastValues(datasource.uid, name)]}
        valuesOf={(parameter) => datasource.parameterValues.of(parameter)}
        onChange={(name, value) => change(withParam(name, value))}
        onCommit={(name, value) => commit(withParam(name, value))}
      />
      {(endpoint?.sandbox || isAdhoc) && (
        <FlexRow>
          <InlineField label="Query" labelWidth={LABEL_WIDTH}>
            <RadioButtonGroup
              aria-label="Query"
              options={MODES}
              value={mode}
              onChange={(picked) =>
                commit({
                  mode: picked,
                  ...(picked === 'lql' ? {} : { filters: undefined }),
                  ...firstText(picked, latest.current, detailNow()),
                })
              }
            />
          </InlineField>
          {isAdhoc && (
            <RadioButtonGroup
              aria-label="Editor"
              options={EDITORS}
              value={isBuilder ? 'builder' : 'code'}
              onChange={(editorMode: 'builder' | 'code') => change({ editorMode })}
            />
          )}
        </FlexRow>
      )}
      {isAdhoc && isBuilder && (
        <BuilderField
          // Each language has its own text and draft.
          key={`${mode} ${endpoint?.id}`}
          refId={query.refId}
          mode={mode}
          text={text}
          detail={detail.value}
          failure={detail.failure?.message ?? list.failure?.message}
          onRun={(next) => commit({ [mode]: next, editorMode: 'builder' })}
          onCode={() => change({ editorMode: 'code' })}
        />
      )}
      {isAdhoc && !isBuilder && (
        <AdhocField
          mode={mode}
          text={text}
          detail={detail.value}
          functions={functions.value ?? []}
          check={check}
          onChange={(next) => change({ [mode]: next, editorMode: 'code' })}
          onRun={(next) => commit({ [mode]: next })}
          onExample={(example) => commit(example.query)}
        />
      )}
      <FilterChips filters={query.filters ?? []} onChange={(filters) => commit({ filters })} />
      <OptionsRow query={query} endpoint={endpoint} options={datasource.options} onChange={change} onCommit={commit} />
      <FlexRow align="center">
        {!hasOwnButton(app) && (
          <Button size="sm" icon="play" disabled={reason !== undefined} onClick={run}>
            Run
          </Button>
        )}
        {isAdhoc && (
          <SaveQueryButton
            datasource={datasource}
            query={query}
            endpoint={endpoint}
            text={text}
            intervalMs={data?.request?.intervalMs}
            onUse={(changed) => {
              // The list that the editor has does not have the new endpoint.
              setAttempt(attempt + 1);
              change(changed);
              run();
            }}
          />
        )}
        {reason && <span className={styles.reason}>{reason}</span>}
      </FlexRow>
    </div>
  );
}

/** Keeps the values of parameters that both endpoints have; time bounds default to the panel's. */
function queryOf(picked: EndpointSummary, { params = {}, mode }: LogEndpointsQuery): Partial<LogEndpointsQuery> {
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

/** Stored names and values, used while the endpoint's declarations are unknown. */
function storedParameters(params: Readonly<Record<string, string>>): readonly Parameter[] {
  return Object.keys(params).map((name) => ({ name, type: 'text', required: true }));
}

/** Whether the query is new: no text, and no endpoint chosen by a user. */
function isUntouched({ endpoint = {}, mode = 'saved', sql, lql }: LogEndpointsQuery): boolean {
  const isDefault = endpoint.name === undefined || DEFAULT_ENDPOINTS.includes(endpoint.name);
  return endpoint.id === undefined && isDefault && mode === 'saved' && !sql && !lql;
}

/** Initial text if there is no text yet and the tables are known. */
function firstText(mode: QueryMode, { sql, lql }: LogEndpointsQuery, detail: EndpointResource | undefined) {
  const [table] = detail?.tables ?? [];
  if (mode === 'saved' || !table || (mode === 'sql' ? sql : lql)?.trim()) return {};
  return { [mode]: printText(mode, newestRows(table, mode)), editorMode: 'builder' as const };
}

/** Whether the app has its own button to run queries: Explore and alert rules. */
function hasOwnButton(app: string | undefined): boolean {
  return app === CoreApp.Explore || app === CoreApp.CloudAlerting || app === CoreApp.UnifiedAlerting;
}

function isSame(a: LogEndpointsQuery, b: LogEndpointsQuery): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function getStyles(theme: GrafanaTheme2) {
  return { reason: css({ color: theme.colors.text.secondary }) };
}
