import React from 'react';
import { Field, SecretTextArea } from '@grafana/ui';
import type { LogEndpointsSecureOptions } from '../../../types';
import { FixedSecret, TextField, ToggleField } from '../fields';
import { Section, summaryOf } from './Section';
import { settingChanges, type ConfigEditorProps } from '../setting-changes';

export function TlsSection(props: ConfigEditorProps) {
  const { jsonData, readOnly } = props.options;
  const { setOptions } = settingChanges(props);
  return (
    <Section
      title="TLS"
      description="Needed where the service has a certificate of your own, or asks for one."
      summary={summaryOf([
        jsonData.tlsAuthWithCACert && 'own certificate authority',
        jsonData.tlsAuth && 'client certificate',
        jsonData.serverName && `server name ${jsonData.serverName}`,
        jsonData.tlsSkipVerify && 'verification skipped',
      ])}
    >
      <ToggleField
        id="lqe-tls-ca"
        label="Add self-signed certificate"
        value={jsonData.tlsAuthWithCACert}
        readOnly={readOnly}
        onChange={(tlsAuthWithCACert) => setOptions({ tlsAuthWithCACert })}
      />
      {jsonData.tlsAuthWithCACert && (
        <Certificate {...props} name="tlsCACert" label="CA certificate" begins="-----BEGIN CERTIFICATE-----" />
      )}
      <ToggleField
        id="lqe-tls-client"
        label="TLS client authentication"
        value={jsonData.tlsAuth}
        readOnly={readOnly}
        onChange={(tlsAuth) => setOptions({ tlsAuth })}
      />
      {jsonData.tlsAuth && (
        <>
          <Certificate {...props} name="tlsClientCert" label="Certificate" begins="-----BEGIN CERTIFICATE-----" />
          <Certificate {...props} name="tlsClientKey" label="Private key" begins="-----BEGIN PRIVATE KEY-----" />
        </>
      )}
      <TextField
        id="lqe-tls-name"
        label="Server name"
        description="The name in the service's certificate, where it is not that of the URL."
        value={jsonData.serverName}
        readOnly={readOnly}
        onChange={(serverName) => setOptions({ serverName })}
      />
      <ToggleField
        id="lqe-tls-skip"
        label="Skip TLS verification"
        description="The token can then be read by every machine between the two. For trials only."
        value={jsonData.tlsSkipVerify}
        readOnly={readOnly}
        onChange={(tlsSkipVerify) => setOptions({ tlsSkipVerify })}
      />
    </Section>
  );
}

interface CertificateProps extends ConfigEditorProps {
  readonly name: keyof LogEndpointsSecureOptions;
  readonly label: string;
  readonly begins: string;
}

function Certificate({ name, label, begins, ...props }: CertificateProps) {
  const { options } = props;
  const { setSecret, resetSecret } = settingChanges(props);
  const text = options.secureJsonData?.[name] ?? '';
  const problem = text && !text.trimStart().startsWith('-----BEGIN ') ? `Begins with ${begins}.` : undefined;
  return (
    <Field label={label} invalid={problem !== undefined} error={problem}>
      {options.readOnly && options.secureJsonFields?.[name] ? (
        <FixedSecret id={`lqe-${name}`} />
      ) : (
        <SecretTextArea
          id={`lqe-${name}`}
          rows={5}
          cols={60}
          placeholder={begins}
          isConfigured={Boolean(options.secureJsonFields?.[name])}
          value={text}
          disabled={options.readOnly}
          onChange={({ currentTarget }) => setSecret(name, currentTarget.value)}
          onReset={() => resetSecret(name)}
        />
      )}
    </Field>
  );
}
