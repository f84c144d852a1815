/** The page of the workbench: `?view=config|query&theme=dark|light`, and of a query `&query=<JSON>`. */
import React from 'react';
import * as data from '@grafana/data';
import { config } from '@grafana/runtime';
import * as ui from '@grafana/ui';
import { createRoot } from 'react-dom/client';
import { ConfigView } from './ConfigView';
import { createExplored } from './explored';
import { setUpHost } from './host';
import { loadPlugin } from './load-plugin';
import { QueryView } from './QueryView';

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
  setUpHost();
  const plugin = await loadPlugin(`/public/plugins/${PLUGIN_ID}/module.js`);
  const settings = await (await fetch('/workbench/settings')).json();
  const Source = plugin.DataSourceClass as unknown as new (
    settings: data.DataSourceInstanceSettings
  ) => data.DataSourceApi;
  const datasource = new Source({ ...settings, meta: { id: PLUGIN_ID } });
  // For what Explore does with a data source and no editor shows.
  Object.assign(window, { explored: createExplored(datasource) });
  const query = { refId: 'A', ...JSON.parse(wanted.get('query') ?? '{}') };
  createRoot(document.querySelector('main')!).render(
    <ThemeContext.Provider value={theme}>
      <GlobalStyles />
      {wanted.get('view') === 'config' ? (
        <ConfigView plugin={plugin} datasource={datasource} settings={settings} />
      ) : (
        <QueryView plugin={plugin} datasource={datasource} query={query} />
      )}
      <PortalContainer />
    </ThemeContext.Provider>
  );
}
