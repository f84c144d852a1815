/** The page of the workbench: `?view=config|query|row|annotation|variable&theme=dark|light`, and but for the settings `&query=<JSON>`. */
import React from 'react';
import * as data from '@grafana/data';
import { config } from '@grafana/runtime';
import * as ui from '@grafana/ui';
import { createRoot } from 'react-dom/client';
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

void start();

async function start(): Promise<void> {
  const wanted = new URLSearchParams(location.search);
  const theme = data.createTheme({ colors: { mode: wanted.get('theme') === 'light' ? 'light' : 'dark' } });
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
  Object.assign(window, { explored: createExplored(datasource) });
  const given = JSON.parse(wanted.get('query') ?? '{}');
  const query = { refId: 'A', ...given };
  const common = { plugin, datasource };
  const views: Record<string, React.ReactNode> = {
    config: <ConfigView {...common} settings={settings} />,
    query: <QueryView {...common} query={query} />,
    row: <RowView {...common} query={query} />,
    annotation: <AnnotationView datasource={datasource} annotation={given} />,
    variable: <VariableView datasource={datasource} query={Object.keys(given).length === 0 ? '' : given} />,
  };
  createRoot(document.querySelector('main')!).render(
    <ThemeContext.Provider value={theme}>
      <GlobalStyles />
      {views[wanted.get('view') ?? 'query']}
      <PortalContainer />
    </ThemeContext.Provider>
  );
}
