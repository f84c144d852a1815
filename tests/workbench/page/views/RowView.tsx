import React, { useState } from 'react';
import type { DataQuery, DataSourceApi, DataSourcePlugin } from '@grafana/data';
import { Alert, Button } from '@grafana/ui';
import { deepFreeze } from '../host/deep-freeze';
import { QueryView } from './QueryView';

interface Props {
  readonly plugin: DataSourcePlugin<never>;
  readonly datasource: DataSourceApi;
  readonly query: DataQuery;
}

/**
 * One row of Grafana's list of queries: closed, the editor is unmounted and the query is described in words; the help
 * stands above the editor.
 */
export function RowView({ plugin, datasource, query: first }: Props) {
  const [query, setQuery] = useState(() => deepFreeze(first));
  const [isOpen, setOpen] = useState(true);
  const [isHelpShown, setHelpShown] = useState(false);
  const [late, setLate] = useState(0);
  const Help = plugin.components.QueryEditorHelp!;
  return (
    <>
      <Button onClick={() => setOpen(!isOpen)}>{isOpen ? 'Collapse query row' : 'Expand query row'}</Button>
      <Button onClick={() => setHelpShown(!isHelpShown)}>Show data source help</Button>
      {isHelpShown && (
        <Help
          datasource={datasource as never}
          query={query as never}
          onClickExample={(next) => setQuery(deepFreeze(next))}
        />
      )}
      {isOpen ? (
        <QueryView
          key={JSON.stringify(isHelpShown)}
          plugin={plugin}
          datasource={datasource}
          query={query}
          onChange={(next, isMounted) => (isMounted ? setQuery(next) : setLate((count) => count + 1))}
        />
      ) : (
        <p role="status">{datasource.getQueryDisplayText!(query)}</p>
      )}
      {late > 0 && (
        <Alert severity="error" title={`An editor that was unmounted has changed the query ${late} times`} />
      )}
    </>
  );
}
