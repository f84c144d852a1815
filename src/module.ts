import { DataSourcePlugin } from '@grafana/data';
import { ConfigEditor } from './components/ConfigEditor/ConfigEditor';
import { QueryEditor } from './components/QueryEditor/QueryEditor';
import { QueryHelp } from './components/QueryHelp';
import { SavedQueriesPage } from './components/SavedQueries/SavedQueriesPage';
import { LogEndpointsDataSource } from './datasource/datasource';
import { SAVED_QUERIES_PAGE } from './saving/links';
import type { LogEndpointsOptions, LogEndpointsQuery, LogEndpointsSecureOptions } from './types';

export const plugin = new DataSourcePlugin<
  LogEndpointsDataSource,
  LogEndpointsQuery,
  LogEndpointsOptions,
  LogEndpointsSecureOptions
>(LogEndpointsDataSource)
  .setConfigEditor(ConfigEditor)
  .setQueryEditor(QueryEditor)
  .setQueryEditorHelp(QueryHelp)
  .addConfigPage({
    id: SAVED_QUERIES_PAGE,
    title: 'Saved queries',
    icon: 'list-ul',
    body: SavedQueriesPage,
  });
