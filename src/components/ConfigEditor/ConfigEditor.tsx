import React from 'react';
import { config } from '@grafana/runtime';
import { Alert, CustomHeadersSettings, SecureSocksProxySettings } from '@grafana/ui';
import { ConnectionSection } from './ConnectionSection';
import { LinksSection } from './LinksSection';
import { ProvisioningSection } from './ProvisioningSection';
import { QuerySection } from './QuerySection';
import type { ConfigEditorProps } from './setting-changes';
import { TlsSection } from './TlsSection';

export function ConfigEditor(props: ConfigEditorProps) {
  const { options, onOptionsChange } = props;
  return (
    <>
      {options.readOnly && (
        <Alert severity="info" title="This data source comes from a file">
          Change the provisioning file to change it.
        </Alert>
      )}
      <ConnectionSection {...props} />
      <QuerySection {...props} />
      <LinksSection {...props} />
      <TlsSection {...props} />
      <CustomHeadersSettings
        dataSourceConfig={options}
        onChange={(changed) => onOptionsChange({ ...options, ...changed })}
      />
      {config.secureSocksDSProxyEnabled && (
        <SecureSocksProxySettings options={options} onOptionsChange={onOptionsChange} />
      )}
      <ProvisioningSection {...props} />
    </>
  );
}
