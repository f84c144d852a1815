import React, { useRef, useState } from 'react';
import {
  CoreApp,
  dateTime,
  type DataQuery,
  type DataQueryResponse,
  type DataSourceApi,
  type DataSourcePlugin,
} from '@grafana/data';
import { Alert } from '@grafana/ui';
import { lastValueFrom } from 'rxjs';
import { Frames } from './Frames';

interface Props {
  readonly plugin: DataSourcePlugin<never>;
  readonly datasource: DataSourceApi;
  readonly query: DataQuery;
}

const HOUR_MS = 3_600_000;
const INTERVAL_MS = 60_000;

/** Grafana's panel editor: the plugin's editor, and what the query brings below it. */
export function QueryView({ plugin, datasource, query: first }: Props) {
  const [query, setQuery] = useState(first);
  const [answer, setAnswer] = useState<DataQueryResponse>();
  const latest = useRef(first);
  const Editor = plugin.components.QueryEditor!;
  const now = Date.now();
  const range = { from: dateTime(now - HOUR_MS), to: dateTime(now) };
  const run = async () => {
    if (!datasource.filterQuery?.(latest.current as never)) return;
    const request = {
      app: CoreApp.PanelEditor,
      requestId: 'Q1',
      interval: '1m',
      intervalMs: INTERVAL_MS,
      maxDataPoints: 500,
      range: { ...range, raw: range },
      scopedVars: {},
      startTime: now,
      timezone: 'utc',
      targets: [latest.current],
    };
    const answers = datasource.query(request as never);
    setAnswer(await lastValueFrom('subscribe' in answers ? answers : (answers as never)));
  };
  return (
    <>
      <Editor
        datasource={datasource as never}
        query={query as never}
        app={CoreApp.PanelEditor}
        range={{ ...range, raw: range }}
        data={{ request: { intervalMs: INTERVAL_MS } } as never}
        onChange={(next: DataQuery) => {
          latest.current = next;
          setQuery(next);
        }}
        onRunQuery={() => void run()}
      />
      <section aria-label="Result">
        {[...(answer?.errors ?? (answer?.error ? [answer.error] : []))].map((error, at) => (
          <Alert key={at} severity="error" title={error.message ?? 'The query failed'} />
        ))}
        <Frames frames={answer?.data ?? []} />
      </section>
    </>
  );
}
