import React, { useEffect, useRef, useState } from 'react';
import { CoreApp, dateTime, type DataQuery, type DataSourceApi, type DataSourcePlugin } from '@grafana/data';
import { Alert } from '@grafana/ui';
import { deepFreeze } from '../host/deep-freeze';
import { requestOf, runRequest, type PanelAnswer } from '../host/run-request';
import { Frames } from './Frames';

interface Props {
  readonly plugin: DataSourcePlugin<never>;
  readonly datasource: DataSourceApi;
  readonly query: DataQuery;
  readonly onChange?: (query: DataQuery, isMounted: boolean) => void;
}

const HOUR_MS = 3_600_000;

/** Grafana's panel editor: the plugin's editor, and what the query brings below it. */
export function QueryView({ plugin, datasource, query: first, onChange }: Props) {
  const [query, setQuery] = useState(() => deepFreeze(first));
  const [answer, setAnswer] = useState<PanelAnswer>();
  const latest = useRef(query);
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  const Editor = plugin.components.QueryEditor!;
  const { range } = requestOf(query);
  const run = async () => {
    const from = dateTime(range.to.valueOf() - HOUR_MS);
    const request = requestOf(latest.current, {
      app: CoreApp.PanelEditor,
      requestId: 'Q1',
      range: { from, to: range.to, raw: { from, to: range.to } },
    });
    setAnswer(await runRequest(datasource, request));
  };
  return (
    <>
      <Editor
        datasource={datasource as never}
        query={query as never}
        queries={[query] as never}
        history={[]}
        app={CoreApp.PanelEditor}
        range={range}
        data={{ request: requestOf(query) } as never}
        onBlur={() => undefined}
        onAddQuery={() => undefined}
        onChange={(next: DataQuery) => {
          latest.current = deepFreeze(next);
          setQuery(latest.current);
          onChange?.(next, mounted.current);
        }}
        onRunQuery={() => void run()}
      />
      <section aria-label="Result">
        {answer?.errors.map((error, at) => (
          <Alert key={at} severity="error" title={error.message ?? 'The query failed'} />
        ))}
        <Frames frames={answer?.series ?? []} />
      </section>
    </>
  );
}
