import React from 'react';
import { ClipboardButton } from '@grafana/ui';
import { provisioningYaml } from '../provisioning-yaml';
import { Section } from './Section';
import type { ConfigEditorProps } from '../setting-changes';

export function ProvisioningSection({ options }: ConfigEditorProps) {
  const yaml = provisioningYaml(options);
  return (
    <Section
      title="Provisioning"
      summary="This data source as a file"
      description="The same data source for Grafana's folder provisioning/datasources. Secrets are taken from environment variables."
    >
      <pre aria-label="Provisioning file">{yaml}</pre>
      <ClipboardButton icon="copy" variant="secondary" getText={() => yaml}>
        Copy
      </ClipboardButton>
    </Section>
  );
}
