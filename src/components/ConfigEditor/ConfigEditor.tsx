import React from 'react';
import { config } from '@grafana/runtime';
import { CustomHeadersSettings, SecureSocksProxySettings } from '@grafana/ui';
import { BasicAuthSection } from './sections/BasicAuthSection';
import { ConnectionSection } from './sections/ConnectionSection';
import { LinksSection } from './sections/LinksSection';
import { LogsSection } from './sections/LogsSection';
import { ProvisioningSection } from './sections/ProvisioningSection';
import { QuerySection } from './sections/QuerySection';
import { Section, summaryOf } from './sections/Section';
import type { ConfigEditorProps } from './setting-changes';
import { TlsSection } from './sections/TlsSection';

/** Grafana itself shows above the page that a provisioned data source cannot be changed. */
export function ConfigEditor(props: ConfigEditorProps) {
  const { options, onOptionsChange } = props;
  return (
    <>
      <ConnectionSection {...props} />
      <QuerySection {...props} />
      <LogsSection {...props} />
      <LinksSection {...props} />
      <TlsSection {...props} />
      <BasicAuthSection {...props} />
      <Section title="HTTP headers and proxy" summary={summaryOf([headersText(options), proxyText(options)])}>
        <CustomHeadersSettings
          dataSourceConfig={options}
          onChange={(changed) => onOptionsChange({ ...options, ...changed })}
        />
        {config.secureSocksDSProxyEnabled && (
          <SecureSocksProxySettings options={options} onOptionsChange={onOptionsChange} />
        )}
      </Section>
      <ProvisioningSection {...props} />
    </>
  );
}

function headersText({ jsonData }: ConfigEditorProps['options']): string | undefined {
  const count = Object.keys(jsonData).filter((key) => /^httpHeaderName\d+$/.test(key)).length;
  return count === 0 ? undefined : `${count} ${count === 1 ? 'header' : 'headers'}`;
}

function proxyText({ jsonData }: ConfigEditorProps['options']): string | undefined {
  return jsonData.enableSecureSocksProxy ? 'secure socks proxy' : undefined;
}
