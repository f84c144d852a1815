import { DataSourcePlugin } from '@grafana/data';
import { LogEndpointsDataSource } from './datasource';
import type { LogEndpointsOptions, LogEndpointsQuery, LogEndpointsSecureOptions } from './types';

export const plugin = new DataSourcePlugin<
  LogEndpointsDataSource,
  LogEndpointsQuery,
  LogEndpointsOptions,
  LogEndpointsSecureOptions
>(LogEndpointsDataSource);
