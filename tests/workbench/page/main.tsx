/**
 * The page of the workbench: `?view=config|query|row|annotation|variable&theme=dark|light`, and but for the settings
 * `&query=<JSON>`; `window.show` replaces what is shown.
 */
import React from 'react';
import * as data from '@grafana/data';
import { config } from '@grafana/runtime';
import * as ui from '@grafana/ui';
import { createRoot, type Root } from 'react-dom/client';
import { createExplored } from './explored';
import { deepFreeze } from './host/deep-freeze';
import { setUpHost } from './host/set-up';
import { loadPlugin } from './load-plugin';
import { AnnotationView } from './views/AnnotationView';
import { ConfigView } from './views/ConfigView';
import { QueryView } from './views/QueryView';
import { RowView } from './views/RowView';
import { VariableView } from './views/VariableView';

/** Older packages have it in another place. */
const { ThemeContext } = 'ThemeContext' in data ? data : (ui as unknown as typeof data);
const { GlobalStyles, PortalContainer } = ui;

const PLUGIN_ID = 'svc-logqueryendpoints-datasource';

interface Shown {
  readonly view: string;
  readonly theme: string;
  readonly query: object;
}

let root: Root | undefined;

const search = new URLSearchParams(location.search);
void show({
  view: search.get('view') ?? 'query',
  theme: search.get('theme') ?? 'dark',
  query: JSON.parse(search.get('query') ?? '{}') as object,
});

/**
 * Like a change of pages in the host: the plugin's module stays, and the data source is created from the settings of
 * now.
 */
async function show(shown: Shown): Promise<void> {
  const theme = data.createTheme({ colors: { mode: shown.theme === 'light' ? 'light' : 'dark' } });
  config.theme2 = theme;
  document.body.style.background = theme.colors.background.primary;
  const settings = deepFreeze({ ...(await (await fetch('/workbench/settings')).json()), meta: { id: PLUGIN_ID } });
  setUpHost(settings);
  const plugin = await loadPlugin(`/public/plugins/${PLUGIN_ID}/module.js`);
  const Source = plugin.DataSourceClass as unknown as new (
    settings: data.DataSourceInstanceSettings
  ) => data.DataSourceApi;
  const datasource = new Source(settings);
  // Where the host reads them from.
  datasource.components = plugin.components as never;
  // For what Explore does with a data source and no editor shows.
  Object.assign(window, { show, explored: createExplored(datasource) });
  root?.unmount();
  root = createRoot(document.querySelector('main')!);
  root.render(
    <ThemeContext.Provider value={theme}>
      <GlobalStyles />
      {viewOf(shown, { plugin, datasource, settings })}
      <PortalContainer />
    </ThemeContext.Provider>
  );
}

interface Parts {
  readonly plugin: data.DataSourcePlugin<never>;
  readonly datasource: data.DataSourceApi;
  readonly settings: data.DataSourceSettings;
}

function viewOf({ view, query: given }: Shown, { plugin, datasource, settings }: Parts): React.ReactNode {
  const query = { refId: 'A', ...given };
  const views: Record<string, React.ReactNode> = {
    config: <ConfigView plugin={plugin} datasource={datasource} settings={settings} />,
    query: <QueryView plugin={plugin} datasource={datasource} query={query} />,
    row: <RowView plugin={plugin} datasource={datasource} query={query} />,
    annotation: <AnnotationView datasource={datasource} annotation={given as never} />,
    variable: <VariableView datasource={datasource} query={Object.keys(given).length === 0 ? '' : given} />,
  };
  return views[view];
}
