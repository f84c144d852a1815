import React, { useLayoutEffect, useRef, useState } from 'react';
import { css } from '@emotion/css';
import { CoreApp, type GrafanaTheme2, type QueryEditorProps } from '@grafana/data';
import { Button, InlineField, RadioButtonGroup, useStyles2 } from '@grafana/ui';
import type { QueryMode } from '#contract/plugin/query';
import type { EndpointSummary } from '#contract/plugin/resources';
import { endpointKey, findEndpoint } from '../../api/find-endpoint';
import type { LogEndpointsDataSource } from '../../datasource';
import { useAnswer } from '../../hooks/use-answer';
import { PANEL_FROM, PANEL_TO } from '../../query/defaults';
import { migrateQuery } from '../../query/migrate';
import { isTime } from '../../query/parameter-problem';
import type { LogEndpointsOptions, LogEndpointsQuery } from '../../types';
import { FlexRow } from '../compat/Flex';
import { AdhocField } from './AdhocField';
import { AlertHints } from './AlertHints';
import { EndpointField, LABEL_WIDTH } from './EndpointField';
import { FilterChips } from './FilterChips';
import { OptionsRow } from './OptionsRow';
import { ParameterField } from './ParameterField';
import { useCheck } from './use-check';

const MODES: Array<{ value: QueryMode; label: string; description: string }> = [
  { value: 'saved', label: 'Saved', description: 'The query of the endpoint' },
  { value: 'sql', label: 'SQL', description: 'A query of your own, in the sandbox of the endpoint' },
  { value: 'lql', label: 'LQL', description: 'Filters and counts in one line' },
];

export type Props = QueryEditorProps<LogEndpointsDataSource, LogEndpointsQuery, LogEndpointsOptions>;

export function QueryEditor({ datasource, query: stored, onChange, onRunQuery, app, range, data }: Props) {
  const styles = useStyles2(getStyles);
  const query = migrateQuery(stored);
  const { mode = 'saved', params = {} } = query;
  const [lastRun, setLastRun] = useState(query);
  const [attempt, setAttempt] = useState(0);
  const list = useAnswer(() => datasource.catalog.endpoints(), `${datasource.uid} ${attempt}`);
  const endpoint = list.value && findEndpoint(list.value, query);
  const isAdhoc = mode !== 'saved';
  const detail = useAnswer(
    endpoint && isAdhoc ? () => datasource.catalog.endpoint(endpoint.id) : undefined,
    endpoint?.id ?? ''
  );
  const functions = useAnswer(mode === 'sql' ? () => datasource.catalog.functions() : undefined, datasource.uid);
  const check = useCheck(datasource, query, range, data?.request?.intervalMs);

  // Two fields may be changed before the first change is drawn: a list tells of its choice late, and fingers are fast.
  const latest = useRef(query);
  useLayoutEffect(() => {
    latest.current = migrateQuery(stored);
  }, [stored]);
  const change = (changed: Partial<LogEndpointsQuery>) => {
    latest.current = { ...latest.current, ...changed };
    onChange(latest.current);
  };
  const withParam = (name: string, value: string) => ({ params: { ...latest.current.params, [name]: value } });
  /** Runs what is ready to run; half a query is kept and not sent. */
  const commit = (changed: Partial<LogEndpointsQuery>) => {
    const next = { ...latest.current, ...changed };
    if (!isSame(next, latest.current)) change(changed);
    const asked = list.value && findEndpoint(list.value, next);
    if (datasource.whyNotRunnable(next, asked) === undefined && !isSame(next, lastRun)) {
      setLastRun(next);
      onRunQuery();
    }
  };
  const run = () => {
    setLastRun(latest.current);
    onRunQuery();
  };
  const reason = endpointKey(query) && list.isLoading ? undefined : datasource.whyNotRunnable(query, endpoint);
  const isAlert = app === CoreApp.CloudAlerting || app === CoreApp.UnifiedAlerting;
  const { defaultProject } = datasource.options;
  return (
    <div>
      {isAlert && <AlertHints query={query} />}
      <EndpointField
        query={query}
        endpoints={list.value}
        failure={list.failure}
        isLoading={list.isLoading}
        onPick={(picked) => commit(queryOf(picked, latest.current))}
        onRetry={() => setAttempt(attempt + 1)}
      />
      {endpoint?.parameters.map((parameter) => (
        <ParameterField
          key={`${endpoint.id} ${parameter.name}`}
          refId={query.refId}
          parameter={parameter}
          value={params[parameter.name] ?? ''}
          filledBy={parameter.name === 'project' ? defaultProject : undefined}
          onChange={(value) => change(withParam(parameter.name, value))}
          onCommit={(value) => commit(withParam(parameter.name, value))}
        />
      ))}
      {(endpoint?.sandbox || isAdhoc) && (
        <InlineField label="Query" labelWidth={LABEL_WIDTH}>
          <RadioButtonGroup
            aria-label="Query"
            options={MODES}
            value={mode}
            onChange={(picked) => commit({ mode: picked, ...(picked === 'lql' ? {} : { filters: undefined }) })}
          />
        </InlineField>
      )}
      {isAdhoc && (
        <AdhocField
          mode={mode}
          text={(mode === 'sql' ? query.sql : query.lql) ?? ''}
          detail={detail.value}
          functions={functions.value ?? []}
          check={check}
          onChange={(text) => change({ [mode]: text })}
          onRun={(text) => commit({ [mode]: text })}
          onExample={(example) => commit(example.query)}
        />
      )}
      <FilterChips filters={query.filters ?? []} onChange={(filters) => commit({ filters })} />
      <OptionsRow
        query={query}
        endpoint={endpoint}
        isRedactedAnyway={datasource.options.redactPii === true}
        onChange={change}
        onCommit={commit}
      />
      <FlexRow align="center">
        <Button size="sm" icon="play" disabled={reason !== undefined} onClick={run}>
          Run
        </Button>
        {reason && <span className={styles.reason}>{reason}</span>}
      </FlexRow>
    </div>
  );
}

/** The values of parameters that both endpoints have are kept; time bounds begin with the panel's. */
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

function isSame(a: LogEndpointsQuery, b: LogEndpointsQuery): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function getStyles(theme: GrafanaTheme2) {
  return { reason: css({ color: theme.colors.text.secondary }) };
}
