import React, { useState } from 'react';
import { CoreApp } from '@grafana/data';
import type { Parameter } from '#contract/queries/saved-query';
import { endpointKey, findEndpoint } from '../../api/find-endpoint';
import { useAnswer } from '../use-answer';
import { migrateQuery } from '../../query/migrate';
import { lastValues } from '../../query/remembered';
import { SaveQueryButton } from '../SaveQuery/SaveQueryButton';
import { AdhocText } from './adhoc/AdhocText';
import { AlertHints } from './AlertHints';
import { EndpointField } from './EndpointField';
import { FilterChips } from './FilterChips';
import { keptFilters } from './kept-filters';
import { ModeRow } from './ModeRow';
import { OptionsRow } from './OptionsRow';
import { ParameterFields } from './parameters/ParameterFields';
import { RunRow } from './RunRow';
import { type Props, queryOf, useFirstEndpoint, useQueryChanges } from './use-query-changes';

export type { Props };

export function QueryEditor(props: Props) {
  const { datasource, query: stored, app, range, data } = props;
  const query = migrateQuery(stored);
  const { mode = 'saved', params = {} } = query;
  const [attempt, setAttempt] = useState(0);
  const list = useAnswer(() => datasource.catalog.endpoints(), `${datasource.uid} ${attempt}`);
  // If the service is unreachable, the form shows the last known endpoints, or the stored query.
  const known = list.value ?? (datasource.catalog.known.length > 0 ? datasource.catalog.known : undefined);
  const endpoint = known && findEndpoint(known, datasource.withEndpoint(query));
  const changes = useQueryChanges(props, known);
  const { latest, change, commit, run } = changes;
  useFirstEndpoint(props, list.value, changes);

  const withParam = (name: string, value: string) => ({ params: { ...latest().params, [name]: value } });
  const text = (mode === 'saved' ? undefined : query[mode]) ?? '';
  const isBuilder = (query.editorMode ?? (text.trim() === '' ? 'builder' : 'code')) === 'builder';
  const reason = endpointKey(query) && list.isLoading ? undefined : datasource.whyNotRunnable(query, endpoint);
  const isAlert = app === CoreApp.CloudAlerting || app === CoreApp.UnifiedAlerting;
  const intervalMs = data?.request?.intervalMs;
  return (
    <div>
      {isAlert && <AlertHints query={query} />}
      <EndpointField
        query={query}
        endpoints={known}
        chosen={endpoint}
        variables={datasource.variableNames()}
        failure={list.failure}
        isLoading={list.isLoading}
        options={datasource.options}
        onPick={(picked) => {
          const changed = queryOf(picked, latest());
          commit({ ...changed, ...keptFilters(latest(), changed) });
        }}
        onVariable={(name) => commit({ endpoint: { name } })}
        onRetry={() => setAttempt(attempt + 1)}
      />
      <ParameterFields
        refId={query.refId}
        endpoint={endpoint?.id ?? ''}
        parameters={endpoint?.parameters ?? (list.failure ? storedParameters(params) : [])}
        values={params}
        defaultProject={datasource.options.defaultProject}
        choicesOf={(name) => [...datasource.variableNames(), ...lastValues(datasource.uid, name)]}
        valuesOf={(parameter) => datasource.parameterValues.of(parameter)}
        onChange={(name, value) => change(withParam(name, value))}
        onCommit={(name, value) => commit(withParam(name, value))}
      />
      {(endpoint?.sandbox || mode !== 'saved') && (
        <ModeRow
          mode={mode}
          isBuilder={isBuilder}
          changes={changes}
          knownDetail={() => datasource.catalog.knownDetail(endpoint?.id ?? '')}
        />
      )}
      {mode !== 'saved' && (
        <AdhocText
          {...{ datasource, query, mode, text, isBuilder, isAlert, endpoint, range, intervalMs, changes }}
          listFailure={list.failure}
        />
      )}
      <FilterChips filters={query.filters ?? []} onChange={(filters) => commit({ filters })} />
      <OptionsRow query={query} endpoint={endpoint} options={datasource.options} onChange={change} onCommit={commit} />
      <RunRow app={app} reason={reason} onRun={run}>
        {mode !== 'saved' && (
          <SaveQueryButton
            {...{ datasource, query, endpoint, text, intervalMs }}
            onUse={(changed) => {
              // The list that the editor has does not have the new endpoint.
              setAttempt(attempt + 1);
              change(changed);
              run();
            }}
          />
        )}
      </RunRow>
    </div>
  );
}

/** Stored names and values, used while the endpoint's declarations are unknown. */
function storedParameters(params: Readonly<Record<string, string>>): readonly Parameter[] {
  return Object.keys(params).map((name) => ({ name, type: 'text', required: true }));
}
