import type { DataSourcePluginOptionsEditorProps } from '@grafana/data';
import type { LogEndpointsOptions, LogEndpointsSecureOptions } from '../../types';

export type ConfigEditorProps = DataSourcePluginOptionsEditorProps<LogEndpointsOptions, LogEndpointsSecureOptions>;

/** Changes one setting and keeps all others, including secrets. */
export function settingChanges({ options, onOptionsChange }: ConfigEditorProps) {
  return {
    setUrl: (url: string) => onOptionsChange({ ...options, url }),
    setBasicAuth: (changed: Partial<Pick<ConfigEditorProps['options'], 'basicAuth' | 'basicAuthUser'>>) =>
      onOptionsChange({ ...options, ...changed }),
    setOptions: (changed: Partial<LogEndpointsOptions>) =>
      onOptionsChange({ ...options, jsonData: { ...options.jsonData, ...changed } }),
    setSecret: (key: keyof LogEndpointsSecureOptions, value: string) =>
      onOptionsChange({ ...options, secureJsonData: { ...options.secureJsonData, [key]: value } }),
    resetSecret: (key: keyof LogEndpointsSecureOptions) =>
      onOptionsChange({
        ...options,
        secureJsonFields: { ...options.secureJsonFields, [key]: false },
        secureJsonData: { ...options.secureJsonData, [key]: '' },
      }),
  };
}
