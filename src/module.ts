import { DataSourcePlugin } from '@grafana/data';
import { ConfigEditor } from './components/ConfigEditor/ConfigEditor';
import { QueryEditor } from './components/QueryEditor/QueryEditor';
import { QueryHelp } from './components/QueryHelp';
import { LogEndpointsDataSource } from './datasource';
import type { LogEndpointsOptions, LogEndpointsQuery, LogEndpointsSecureOptions } from './types';

export const plugin = new DataSourcePlugin<
  LogEndpointsDataSource,
  LogEndpointsQuery,
  LogEndpointsOptions,
  LogEndpointsSecureOptions
>(LogEndpointsDataSource)
  .setConfigEditor(ConfigEditor)
  .setQueryEditor(QueryEditor)
  .setQueryEditorHelp(QueryHelp);
