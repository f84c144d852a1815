import React, { useState } from 'react';
import { Field, Input, SecretInput } from '@grafana/ui';
import { NumberField } from './fields';
import { Section } from './Section';
import { settingChanges, type ConfigEditorProps } from './setting-changes';
import { urlProblem } from './url-problem';

const DEFAULT_TIMEOUT_SECONDS = 30;

export function ConnectionSection(props: ConfigEditorProps) {
  const { options } = props;
  const { setUrl, setOptions, setSecret, resetSecret } = settingChanges(props);
  const [isUrlTouched, setUrlTouched] = useState(false);
  const problem = isUrlTouched || options.url ? urlProblem(options.url) : undefined;
  const token = options.secureJsonData?.apiKey ?? '';
  return (
    <Section
      title="Connection"
      description="Where the service answers, and the access token that says what may be asked."
    >
      <Field
        label="URL"
        required
        invalid={problem !== undefined}
        error={problem}
        description="As seen from Grafana's server."
      >
        <Input
          id="lqe-url"
          type="url"
          placeholder="http://localhost:8080"
          value={options.url}
          disabled={options.readOnly}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          onBlur={() => {
            setUrlTouched(true);
            setUrl(options.url.trim());
          }}
        />
      </Field>
      <Field label="Access token" required description="Made with: lqe token create --name grafana">
        <SecretInput
          id="lqe-token"
          placeholder="lqe_…"
          autoComplete="new-password"
          isConfigured={Boolean(options.secureJsonFields?.apiKey)}
          value={token}
          disabled={options.readOnly}
          onChange={({ currentTarget }) => setSecret('apiKey', currentTarget.value.trim())}
          onReset={() => resetSecret('apiKey')}
        />
      </Field>
      <NumberField
        id="lqe-timeout"
        label="Timeout"
        description="Seconds until a query is given up."
        placeholder={String(DEFAULT_TIMEOUT_SECONDS)}
        suffix="s"
        max={600}
        value={options.jsonData.timeout}
        readOnly={options.readOnly}
        onChange={(timeout) => setOptions({ timeout })}
      />
    </Section>
  );
}
