import React from 'react';
import type { TimeRange } from '@grafana/data';
import type { EndpointSummary, ResourceError } from '#contract/plugin/resources';
import type { EditorDataSource } from '../../editor-data-source';
import { useAnswer } from '../../use-answer';
import type { AdhocLanguage } from '../../../language/monaco-language';
import type { LogEndpointsQuery } from '../../../types';
import { BuilderField } from '../../QueryBuilder/BuilderField';
import { AdhocField } from './AdhocField';
import { useCheck } from './use-check';
import type { QueryChanges } from '../use-query-changes';

interface Props {
  readonly datasource: EditorDataSource;
  readonly query: LogEndpointsQuery;
  readonly mode: AdhocLanguage;
  readonly text: string;
  readonly isBuilder: boolean;
  readonly isAlert: boolean;
  readonly endpoint: EndpointSummary | undefined;
  /** Why the endpoints are unknown. */
  readonly listFailure: ResourceError | undefined;
  readonly range: TimeRange | undefined;
  readonly intervalMs: number | undefined;
  readonly changes: QueryChanges;
}

/** Text in the sandbox of the endpoint, as a form or as text. */
export function AdhocText(props: Props) {
  const { datasource, query, mode, text, isBuilder, isAlert, endpoint, listFailure, range, intervalMs } = props;
  const { change, commit } = props.changes;
  const detail = useAnswer(endpoint ? () => datasource.catalog.endpoint(endpoint.id) : undefined, endpoint?.id ?? '');
  const functions = useAnswer(mode === 'sql' ? () => datasource.catalog.functions() : undefined, datasource.uid);
  const check = useCheck(datasource, query, range, intervalMs);
  if (isBuilder)
    return (
      <BuilderField
        // Each language has its own text and draft.
        key={`${mode} ${endpoint?.id}`}
        refId={query.refId}
        mode={mode}
        text={text}
        detail={detail.value}
        failure={detail.failure?.message ?? listFailure?.message}
        onRun={(next) => commit({ [mode]: next, editorMode: 'builder' })}
        onCode={() => change({ editorMode: 'code' })}
      />
    );
  return (
    <AdhocField
      mode={mode}
      text={text}
      isAlert={isAlert}
      detail={detail.value}
      functions={functions.value ?? []}
      check={check}
      onChange={(next) => change({ [mode]: next, editorMode: 'code' })}
      onRun={(next) => commit({ [mode]: next })}
      onExample={(example) => commit(example.query)}
    />
  );
}
